package io.quiver.remote.ingest;

import org.jspecify.annotations.Nullable;

/**
 * Bounds what workers have found but the columns have not taken yet.
 *
 * <p>Results are taken in the order of the listing. The task whose turn it is may always go on, or
 * the others, holding the whole budget, would wait for it for ever.
 */
final class PartBudget {
  private final long limit;
  private long used;
  private @Nullable Share head;

  /** What one task holds of the budget. */
  static final class Share {
    private long held;
  }

  PartBudget(long limit) {
    this.limit = limit;
  }

  /** It is this task's turn. */
  synchronized void turnOf(Share share) {
    head = share;
    notifyAll();
  }

  /** Waits for room; ends at the latest when it is the owner's turn and its parts are taken. */
  synchronized void acquire(Share share, long bytes) throws InterruptedException {
    while (used + bytes > limit && (share != head || share.held > limit / 8)) {
      wait(1000);
    }
    used += bytes;
    share.held += bytes;
  }

  /** A part was taken. */
  synchronized void release(Share share, long bytes) {
    used -= bytes;
    share.held -= bytes;
    notifyAll();
  }
}
