package io.quiver.remote.ingest;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntPredicate;

/**
 * Maps keys to items of a digest by open addressing off the heap: four bytes a slot, so that even a
 * hundred million items need no large heap. Items with equal keys are found one after the other.
 */
final class ItemTable {
  private static final ValueLayout.OfInt SLOT = ValueLayout.JAVA_INT;
  private static final int FREE = 0;
  private static final int TAKEN = -1;

  private final MemorySegment slots;
  private final long mask;

  ItemTable(Arena arena, long items) {
    long capacity = Long.highestOneBit(Math.max(8, items + items / 2)) * 2;
    this.slots = arena.allocate(SLOT, capacity);
    this.mask = capacity - 1;
  }

  void put(int item, long key) {
    long slot = spread(key) & mask;
    while (slots.getAtIndex(SLOT, slot) != FREE) {
      slot = (slot + 1) & mask;
    }
    slots.setAtIndex(SLOT, slot, item + 1);
  }

  /** Removes and returns the first item under the key that the test accepts, or -1. */
  int take(long key, IntPredicate test) {
    long slot = spread(key) & mask;
    for (int found = slots.getAtIndex(SLOT, slot); found != FREE; ) {
      if (found != TAKEN && test.test(found - 1)) {
        slots.setAtIndex(SLOT, slot, TAKEN);
        return found - 1;
      }
      slot = (slot + 1) & mask;
      found = slots.getAtIndex(SLOT, slot);
    }
    return -1;
  }

  private static long spread(long key) {
    long mixed = (key ^ (key >>> 32)) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }
}
