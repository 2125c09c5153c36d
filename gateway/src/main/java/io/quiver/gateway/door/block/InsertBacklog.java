package io.quiver.gateway.door.block;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes that wait to be inserted. While there are many, blocks are read without a claim:
 * others would wait in vain for what does not get into the cache.
 */
final class InsertBacklog {
  private final long mostBytes;
  private final AtomicLong bytes = new AtomicLong();

  /**
   * Starts empty.
   *
   * @param mostBytes most bytes that the queue takes
   */
  InsertBacklog(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  long mostBytes() {
    return mostBytes;
  }

  void add(long more) {
    bytes.addAndGet(more);
  }

  void remove(long fewer) {
    bytes.addAndGet(-fewer);
  }

  /** Returns true if what is read from now on will probably find a place: half is left for it. */
  boolean isLow() {
    return bytes.get() <= mostBytes / 2;
  }
}
