package io.quiver.core.order;

import java.util.Arrays;

/**
 * The items of one chunk that a job can still draw. Members come in a seeded random order; what was
 * drawn without need is drawn again first, what was asked for in vain waits for the next walk.
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

  /** Returns how many items can be drawn. */
  int available() {
    return available;
  }

  /** Returns the next item of the walk that can be drawn, without drawing it. */
  int peek() {
    requireAvailable();
    return nextOfWalk();
  }

  /** Draws a free item of this chunk, which is blocked from now on. */
  void take(int item) {
    blocked.set(item);
    available--;
  }

  /** Draws one item, which is blocked from now on. */
  int take() {
    int item = nextFree();
    take(item);
    return item;
  }

  /**
   * Takes an item back.
   *
   * @param soon whether it is to be drawn before others; else it comes when the walk is at it again
   */
  void giveBack(int item, boolean soon) {
    blocked.clear(item);
    available++;
    if (soon && returnedCount < MAX_RETURNED) {
      if (returnedCount == returned.length) {
        returned = Arrays.copyOf(returned, Math.max(64, 2 * returned.length));
      }
      returned[returnedCount++] = item;
    }
  }

  private int nextFree() {
    requireAvailable();
    while (returnedCount > 0) {
      int item = returned[--returnedCount];
      if (free(item)) {
        return item;
      }
    }
    return nextOfWalk();
  }

  private int nextOfWalk() {
    int item = cursor.next();
    while (!free(item)) {
      item = cursor.next();
    }
    return item;
  }

  private void requireAvailable() {
    if (available <= 0) {
      throw new IllegalStateException("nothing is left to draw from this chunk");
    }
  }

  private boolean free(int item) {
    return !delivered.get(item) && !blocked.get(item);
  }
}
