package io.quiver.simulator.engine;

import java.util.Arrays;

/**
 * Events by time, and those of one time in the order in which they were added. A 4-ary heap in an
 * array: an entry costs no object, and the children of an entry are neighbours. An entry is a time
 * and a rank, which is the number of the event and the slot of its handler; handlers do not move.
 */
final class EventQueue {
  private static final int FIRST_CAPACITY = 1024;
  private static final int ARITY = 4;
  private static final int SLOT_BITS = 24;
  private static final int MAX_SIZE = 1 << SLOT_BITS;
  private static final Handler NOBODY = what -> {};

  /** Times at even places, each followed by its rank. */
  private long[] heap = new long[2 * FIRST_CAPACITY];

  private long[] whats = new long[FIRST_CAPACITY];
  private Handler[] handlers = new Handler[FIRST_CAPACITY];
  private int[] freeSlots = new int[FIRST_CAPACITY];
  private int size;
  private int usedSlots;
  private long nextNumber;

  int size() {
    return size;
  }

  /** Returns the time of the first event; there must be one. */
  long firstTime() {
    return heap[0];
  }

  /** Returns the number of the first event in the order of adding; there must be one. */
  long firstNumber() {
    return heap[1] >>> SLOT_BITS;
  }

  long firstWhat() {
    return whats[firstSlot()];
  }

  Handler firstHandler() {
    return handlers[firstSlot()];
  }

  private int firstSlot() {
    return (int) heap[1] & (MAX_SIZE - 1);
  }

  void add(long time, Handler handler, long what) {
    if (size == handlers.length) {
      grow();
    }
    int slot = usedSlots > size ? freeSlots[usedSlots - size - 1] : usedSlots++;
    handlers[slot] = handler;
    whats[slot] = what;
    long[] entries = heap;
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) / ARITY;
      long parentTime = entries[2 * parent];
      if (parentTime <= time) {
        break;
      }
      entries[2 * at] = parentTime;
      entries[2 * at + 1] = entries[2 * parent + 1];
      at = parent;
    }
    entries[2 * at] = time;
    entries[2 * at + 1] = nextNumber++ << SLOT_BITS | slot;
  }

  void removeFirst() {
    int slot = firstSlot();
    handlers[slot] = NOBODY;
    int last = --size;
    freeSlots[usedSlots - size - 1] = slot;
    long[] entries = heap;
    long time = entries[2 * last];
    long rank = entries[2 * last + 1];
    int at = 0;
    int child = 1;
    while (child < last) {
      int end = Math.min(last, child + ARITY);
      int first = child;
      long firstTime = entries[2 * child];
      for (int other = child + 1; other < end; other++) {
        long otherTime = entries[2 * other];
        if (otherTime < firstTime
            || (otherTime == firstTime && entries[2 * other + 1] < entries[2 * first + 1])) {
          first = other;
          firstTime = otherTime;
        }
      }
      long firstRank = entries[2 * first + 1];
      if (firstTime > time || (firstTime == time && firstRank > rank)) {
        break;
      }
      entries[2 * at] = firstTime;
      entries[2 * at + 1] = firstRank;
      at = first;
      child = at * ARITY + 1;
    }
    entries[2 * at] = time;
    entries[2 * at + 1] = rank;
  }

  private void grow() {
    int capacity = 2 * handlers.length;
    if (capacity > MAX_SIZE) {
      throw new IllegalStateException("more than " + MAX_SIZE + " events are scheduled");
    }
    heap = Arrays.copyOf(heap, 2 * capacity);
    whats = Arrays.copyOf(whats, capacity);
    handlers = Arrays.copyOf(handlers, capacity);
    freeSlots = Arrays.copyOf(freeSlots, capacity);
  }
}
