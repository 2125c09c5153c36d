package io.quiver.store.ssd;

import java.util.concurrent.TimeUnit;

/** Bounds the bytes of blobs that were read from disk and have not been sent yet. */
final class ColdBudget {
  private final long bound;
  private long taken;

  ColdBudget(long bound) {
    this.bound = bound;
  }

  /** Takes bytes from the budget if there are enough. */
  synchronized boolean tryTake(long bytes) {
    if (taken + bytes > bound) {
      return false;
    }
    taken += bytes;
    return true;
  }

  /** Takes bytes for a batch's only blob: waits a while for them, then exceeds the bound. */
  synchronized void take(long bytes, long longestWaitNanos) {
    long deadline = System.nanoTime() + longestWaitNanos;
    try {
      long left = longestWaitNanos;
      while (taken > 0 && taken + bytes > bound && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = deadline - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    taken += bytes;
  }

  synchronized void giveBack(long bytes) {
    taken -= bytes;
    notifyAll();
  }
}
