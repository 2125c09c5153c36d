package io.quiver.remote.ingest;

import org.jspecify.annotations.Nullable;

/**
 * Bounds the results that workers have found but the columns have not taken yet.
 *
 * <p>Results are taken in the order of the listing. The task that is first may always go on, or the
 * others, holding the whole budget, would wait for it for ever.
 */
final class PartBudget {
  private final long limit;
  private long used;
  private @Nullable Share head;

  /** The part of the budget that one task uses. */
  static final class Share {
    private long held;
  }

  PartBudget(long limit) {
    this.limit = limit;
  }

  /** Marks the task that is first in order. */
  synchronized void first(Share share) {
    head = share;
    notifyAll();
  }

  /**
   * Waits for free budget; ends at the latest when the owner is first in order and its parts are
   * taken.
   */
  synchronized void acquire(Share share, long bytes) throws InterruptedException {
    while (used + bytes > limit && (share != head || share.held > limit / 8)) {
      wait(1000);
    }
    used += bytes;
    share.held += bytes;
  }

  /** Returns the bytes of a part that was taken. */
  synchronized void release(Share share, long bytes) {
    used -= bytes;
    share.held -= bytes;
    notifyAll();
  }
}
