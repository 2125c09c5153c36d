package io.quiver.server.keep;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

/**
 * Keys that were read, on their way to a keeper. Any thread adds without waiting; one at a time
 * drains. Bounded and lossy: when nobody drains in time, the oldest are overwritten, which costs a
 * keeper some precision and a reader nothing.
 */
final class ReadBuffer {
  private static final int SLOTS = 1 << 12;
  private static final int MASK = SLOTS - 1;

  private final AtomicLongArray slots = new AtomicLongArray(SLOTS); // 0 is empty
  private final AtomicInteger added = new AtomicInteger();
  private volatile int drained;

  /** Adds a key; returns true if it is time to drain. */
  boolean add(long key) {
    int place = added.getAndIncrement();
    slots.setOpaque(place & MASK, key);
    return place - drained >= SLOTS / 2;
  }

  /** Hands over what was added, oldest first; for one caller at a time. */
  void drain(LongConsumer keys) {
    int end = added.get();
    int place = end - drained > SLOTS ? end - SLOTS : drained;
    for (; place != end; place++) {
      long key = slots.getAndSet(place & MASK, 0);
      if (key != 0) {
        keys.accept(key);
      }
    }
    drained = end;
  }
}
