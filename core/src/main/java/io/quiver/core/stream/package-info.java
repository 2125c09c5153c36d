/**
 * Facts that doors, servers and the manager tell each other about how unmodified programs read
 * (IGTCache, §3).
 *
 * <p>A door tells {@link io.quiver.core.stream.tree.AccessStreams} every read and every listing.
 * Reads form a tree of streams by path: directory, file, block. A stream with enough reads is
 * recognised as sequential, random or skewed; that decides what is read ahead, what is inserted
 * into the cache and which keeper its space has. Doors send {@link
 * io.quiver.core.stream.StreamSummary}s to the manager, which merges them and answers with {@link
 * io.quiver.core.stream.StreamVerdict}s. Pure: times are passed in, nothing here knows threads,
 * stores or sockets.
 */
@NullMarked
package io.quiver.core.stream;

import org.jspecify.annotations.NullMarked;
