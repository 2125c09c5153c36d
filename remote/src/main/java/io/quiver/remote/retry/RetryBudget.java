package io.quiver.remote.retry;

/**
 * Bounds the retries that the calls of one store may use together.
 *
 * <p>Per-call limits alone multiply the load on a store that is down: every caller tries six times
 * instead of once. Each repetition takes a token, ten successes give one back; when none is left,
 * calls fail at their first failure until the store answers again. Over any stretch of time there
 * are at most the capacity plus a tenth of the successes.
 */
public final class RetryBudget {
  private static final int SUCCESSES_PER_TOKEN = 10;

  private final long capacity;
  private long tenths;

  /** Creates a full budget of this many retries. */
  public RetryBudget(int capacity) {
    this.capacity = (long) capacity * SUCCESSES_PER_TOKEN;
    this.tenths = this.capacity;
  }

  /** Takes one retry if there is one left. */
  public synchronized boolean take() {
    if (tenths < SUCCESSES_PER_TOKEN) {
      return false;
    }
    tenths -= SUCCESSES_PER_TOKEN;
    return true;
  }

  /** Notes that a request succeeded. */
  public synchronized void succeeded() {
    tenths = Math.min(capacity, tenths + 1);
  }

  /** Returns the number of retries left. */
  public synchronized long left() {
    return tenths / SUCCESSES_PER_TOKEN;
  }
}
