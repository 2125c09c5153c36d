/**
 * Data sets and their digests: which items a data set has, what they hash to and where they lie.
 *
 * <p>Pure views over memory that somebody else mapped. The format of a digest, version 1; all
 * numbers are little-endian, sections start at multiples of 8 and are padded with zeros:
 *
 * <pre>
 *   0      8     12      16      24       32        40        48       56      60     64        96      128
 *   +------+------+-------+-------+--------+---------+---------+--------+-------+------+---------+-------+
 *   | magic| vers.| flags | items | objects| total   | largest | file   | sect. | CRC  | identity| zero  |
 *   | 8 B  | u32  | u32 0 | i64   | i64    | bytes   | item i64| length | count | -32  | SHA-256 | 32 B  |
 *   +------+------+-------+-------+--------+---------+---------+--------+-------+------+---------+-------+
 *
 *   then one line of 32 bytes for each section, by ascending kind
 *   +0          +4          +8                +16             +24         +28
 *   +-----------+-----------+-----------------+---------------+-----------+----------+
 *   | kind u32  | width u32 | position i64    | bytes i64     | CRC-32    | zero u32 |
 *   +-----------+-----------+-----------------+---------------+-----------+----------+
 *
 *   then the sections, without gaps, in the same order
 * </pre>
 *
 * <p>The header's CRC is taken over header and table with the CRC field zero; a section's over its
 * bytes without the padding. Sections and their kinds are listed in {@link
 * io.quiver.core.dataset.DigestSection}. CRC-32 is the one of zlib, which every language has at
 * hand. Readers pass over kinds they do not know and refuse flags they do not know.
 */
@NullMarked
package io.quiver.core.dataset;

import org.jspecify.annotations.NullMarked;
