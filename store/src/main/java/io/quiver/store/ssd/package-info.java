/**
 * Implements the blob store on local disks: segment files, an index in memory, recovery at start.
 *
 * <h2>On disk</h2>
 *
 * <pre>
 *  directory/
 *    quiver.lock                 locked while a process uses the directory
 *    quiver.format               "quiver-store 1"
 *    spaces/SPACE/NUMBER.seg     append-only segments of one space, up to 1 GiB each
 * </pre>
 *
 * <p>A segment is a header and records, each aligned to 64 bytes. All numbers are little-endian,
 * hashes are in the order of their bytes. The last record's padding need not be in the file.
 *
 * <pre>
 *  segment header                                record
 *   0  magic "QVS1"                               0  magic "QVR1"
 *   4  state: 'O' open, 'S' sealed (changes)      4  state: 'L' live, 'E' evicted, 'D' disowned
 *   5  zero (3)                                      (the only byte that changes)
 *   8  nonce (8)                                  5  kind: 1 data, 2 reference, 3 name
 *  16  CRC32C of bytes 0-3 and 8-15               6  zero (2)
 *  20  zero (44)                                  8  length of what follows (4)
 *                                                12  CRC32C of what follows (4)
 *                                                16  CRC32C of this header but 4 and 16-19 (4)
 *                                                20  zero (4)
 *                                                24  hash of the blob, or name (32)
 *                                                56  the segment's nonce (8)
 *                                                64  the blob if kind is data; if it is name,
 *                                                    hash (32) and length (8); then padding
 * </pre>
 *
 * <p>The nonce is random and secret: a blob whose bytes imitate a record does not know it, so a
 * scan that looks for records in a damaged segment cannot be led to index a forged one.
 *
 * <p><b>Ownership</b> is written nowhere else. A live data record says that the space whose folder
 * it lies in owns the blob. A second owner has a reference record in a segment of its own. A space
 * that gives a blob up while others own it leaves its record disowned. Dropping a space moves what
 * others own to one of them and unlinks the files.
 *
 * <p>A <b>name</b> is a record of 128 bytes, owned, moved, evicted and recovered as a blob is. It
 * is not what its bytes hash to, so its checksum alone tells that they are right. Its location in
 * the index says that it is a name: who asks for blobs never meets one. To bind a name anew marks
 * the old record evicted before the new one is written; whoever dies in between leaves a name that
 * is not bound. Where a name is found with two bindings, because a disk lost a mark with its power,
 * both are forgotten.
 *
 * <h2>In memory</h2>
 *
 * <ul>
 *   <li>{@link io.quiver.store.ssd.Index}: 16 bytes a slot outside the heap, 20 to 27 bytes a blob
 *       or name. Readers take no lock.
 *   <li>{@link io.quiver.store.ssd.References}: who owns a blob beside the space its bytes lie in;
 *       as much for each further owner, outside the heap.
 *   <li>{@link io.quiver.store.ssd.PageResidency}: one bit for each page in memory, corrected by
 *       {@link io.quiver.store.ssd.Sweeper}; outside the heap, and only of parts that are read.
 *   <li>{@link io.quiver.store.ssd.Epochs}: keeps tables alive while a lookup uses them.
 *   <li>{@link io.quiver.store.ssd.SegmentPins}: keeps the segments of an answer mapped until it is
 *       sent, and their disk space taken; a slow reader holds up those and no others.
 * </ul>
 *
 * <p>The heap holds about 2 KB for each segment, whatever is in it, and nothing for a blob.
 *
 * <h2>Reading</h2>
 *
 * <p>What is in memory is answered as slices of the mappings, without a copy. What is not is read
 * by a bounded pool and checked: the first time past the page cache into borrowed buffers, which
 * costs a third of the processor time (0.19 against 0.6 s a GB), many reads in one system call
 * ({@code docs/decisions/0008-cold-reads.md}); when it is asked for again, through the page cache,
 * to be answered from the mapping from then on. Cold pages are thus never touched by whoever sends.
 * A blob's CRC32C is compared when its bytes came from disk, on the first read after a start, and
 * again after pages of its segment have left memory: the index remembers in which epoch of its
 * segment a blob was last known to be right. A damaged blob is dropped and is a miss.
 *
 * <h2>Writing and dying</h2>
 *
 * <p>The hash is computed outside every lock. A writer takes the open segment of its space that has
 * the fewest writers, and opens another, up to four, while all are busy: a file system lets one
 * writer at a time into a file. Writers of one segment reserve their parts, write them, and publish
 * when the operating system has the bytes. What was acknowledged survives the death of the process.
 * It need not survive a loss of power, because nothing waits for the disk; a record that was torn
 * then fails its checksum and is a miss. At start every segment's headers are scanned in parallel;
 * of segments that were not sealed, the last 64 MiB are compared with their checksums, and what is
 * torn at the end is cut.
 *
 * <h2>Disk space</h2>
 *
 * <p>Disk space is the bytes of files and never exceeds a directory's share. Evicted records are
 * garbage until an insert finds the directory full; then the segment with the largest share of
 * garbage is carried over and unlinked ({@link io.quiver.store.ssd.Reclaimer}; {@code
 * docs/decisions/0002-reclaiming-disk-space.md} tells why not by punching holes). Inserts leave a
 * reserve for that, and a sixteenth of the rest as garbage at least, so that collecting always
 * pays.
 *
 * <h2>Trouble</h2>
 *
 * <p>A write that fails is tried on another directory and is a refusal if there is none; a
 * directory that fails three times in a row is left alone for 30 seconds. A read that fails is a
 * miss. Both are counted.
 */
@NullMarked
package io.quiver.store.ssd;

import org.jspecify.annotations.NullMarked;
