package io.quiver.core.order;

/**
 * Walks the members of one chunk in a seeded random order, again and again, as long as some are
 * available. Holds no list: a place in the order is all its memory.
 */
final class ChunkCursor {
  private final ChunkMembers members;
  private final SeededPermutation order;
  private final int first;
  private final int stride;
  private int next;

  /**
   * A walk over every {@code stride}-th place from {@code first} on.
   *
   * @param first below the stride
   */
  ChunkCursor(ChunkLayout layout, int chunk, long seed, int first, int stride) {
    this.members = new ChunkMembers(layout, chunk);
    this.order = new SeededPermutation(members.size(), seed);
    this.first = first;
    this.stride = stride;
    this.next = first;
  }

  /** Returns how many members this walk reaches. */
  int reach() {
    return Math.max(0, (order.size() - first + stride - 1) / stride);
  }

  /** Returns the member at a place of the whole order. */
  int at(int place) {
    return members.at(order.at(place));
  }

  /** Returns the next member; after the last comes the first again. */
  int next() {
    if (next >= order.size()) {
      next = first;
    }
    int item = at(next);
    next += stride;
    return item;
  }
}
