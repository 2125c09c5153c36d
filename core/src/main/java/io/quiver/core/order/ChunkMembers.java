package io.quiver.core.order;

/**
 * The members of one chunk by place, as {@link ChunkLayout#member} tells, with what is the same for
 * all places worked out once: samplers ask millions of times a second.
 */
final class ChunkMembers {
  private final int size;
  private final int unit;
  private final int first;
  private final int between;

  ChunkMembers(ChunkLayout layout, int chunk) {
    this.size = layout.size(chunk);
    this.unit = layout.unit();
    this.first = chunk * layout.unit();
    this.between = (layout.chunks() - 1) * layout.unit();
  }

  int size() {
    return size;
  }

  /** Returns the item at a place from 0 up to the size. */
  int at(int place) {
    return first + place + place / unit * between;
  }
}
