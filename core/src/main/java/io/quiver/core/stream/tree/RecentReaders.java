package io.quiver.core.stream.tree;

/** Remembers who read which blocks lately. Forgets a block when another takes its place. */
final class RecentReaders {
  private static final int PLACES = 1 << 14;
  private static final int PLACE_BYTES = 2 * Long.BYTES + Integer.BYTES;

  private final long[] keys = new long[PLACES];
  private final long[] marks = new long[PLACES];
  private final int[] readers = new int[PLACES];

  /** Notes a read of a sequential stream. */
  void note(FollowDistance follow, long key, int reader, int bytes) {
    int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 50);
    if (keys[at] != key) {
      follow.first(bytes);
    } else if (readers[at] != reader) {
      follow.followed(marks[at]);
    }
    keys[at] = key;
    readers[at] = reader;
    marks[at] = follow.mark();
  }

  long heldBytes() {
    return (long) PLACES * PLACE_BYTES;
  }
}
