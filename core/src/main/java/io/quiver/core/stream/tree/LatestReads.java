package io.quiver.core.stream.tree;

import org.jspecify.annotations.Nullable;

/** Recognises reads that are further pieces of the blocks that a reader read last. */
final class LatestReads {
  private static final int PLACES = 256;
  private static final int PLACE_BYTES = 3 * Long.BYTES + Integer.BYTES;

  private final long[] readers = new long[PLACES];
  private final long[] last = new long[PLACES];
  private final long[] before = new long[PLACES];
  private final @Nullable StreamNode[] streams = new @Nullable StreamNode[PLACES];
  private int at;

  /** Returns true if a reader has read this block already, as its last or last but one. */
  boolean isPieceOf(long key, long reader) {
    at = Long.hashCode(reader * 0x9E3779B97F4A7C15L) & (PLACES - 1);
    if (readers[at] == reader && streams[at] != null && (last[at] == key || before[at] == key)) {
      return true;
    }
    before[at] = readers[at] == reader ? last[at] : 0;
    readers[at] = reader;
    last[at] = key;
    return false;
  }

  /** Says to which stream the block belongs that was asked for last. */
  void of(StreamNode stream) {
    streams[at] = stream;
  }

  /** Notes the time of a further piece in the streams of its block. */
  void touch(long now) {
    for (@Nullable StreamNode node = streams[at]; node != null; node = node.parent()) {
      node.reads.touch(now);
    }
  }

  long heldBytes() {
    return (long) PLACES * PLACE_BYTES;
  }
}
