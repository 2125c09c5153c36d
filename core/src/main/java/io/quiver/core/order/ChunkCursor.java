package io.quiver.core.order;

/**
 * Walks the members of one chunk in a seeded random order, again and again. Keeps no list, only a
 * place in the order. Members are those of {@link ChunkLayout#member}; all that is equal for every
 * place is worked out once, because samplers ask millions of times a second.
 */
final class ChunkCursor {
  private final SeededPermutation order;
  private final int unit;
  private final int firstMember;
  private final int between;
  private final int first;
  private final int stride;
  private int next;

  /**
   * Begins a walk over every {@code stride}-th place from {@code first} on.
   *
   * @param first below the stride
   */
  ChunkCursor(ChunkLayout layout, int chunk, long seed, int first, int stride) {
    this.order = new SeededPermutation(layout.size(chunk), seed);
    this.unit = layout.unit();
    this.firstMember = chunk * unit;
    this.between = (layout.chunks() - 1) * unit;
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
    int member = order.at(place);
    return firstMember + member + member / unit * between;
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
