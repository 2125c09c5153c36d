package io.quiver.core.sampling;

/**
 * The items of one chunk that a job can still draw. Members come in a seeded random order; what was
 * drawn in vain is drawn again first.
 */
final class ChunkPool {
  /** Beyond this many, returned items are found again by walking the chunk once more. */
  private static final int MAX_RETURNED = 4096;

  private final ChunkCursor cursor;
  private final ItemBits delivered;
  private final ItemBits blocked;
  private int available;
  private int[] returned = new int[0];
  private int returnedCount;

  ChunkPool(ChunkCursor cursor, int available, ItemBits delivered, ItemBits blocked) {
    this.cursor = cursor;
    this.available = available;
    this.delivered = delivered;
    this.blocked = blocked;
  }

  /** How many items can be drawn. */
  int available() {
    return available;
  }

  /** Draws one item, which is blocked from now on. */
  int take() {
    int item = nextFree();
    blocked.set(item);
    available--;
    return item;
  }

  /** Takes an item back. */
  void giveBack(int item) {
    blocked.clear(item);
    available++;
    if (returnedCount < MAX_RETURNED) {
      if (returnedCount == returned.length) {
        returned = java.util.Arrays.copyOf(returned, Math.max(64, 2 * returned.length));
      }
      returned[returnedCount++] = item;
    }
  }

  private int nextFree() {
    if (available <= 0) {
      throw new IllegalStateException("nothing is left to draw from this chunk");
    }
    while (returnedCount > 0) {
      int item = returned[--returnedCount];
      if (free(item)) {
        return item;
      }
    }
    int item = cursor.next();
    while (!free(item)) {
      item = cursor.next();
    }
    return item;
  }

  private boolean free(int item) {
    return !delivered.get(item) && !blocked.get(item);
  }
}
