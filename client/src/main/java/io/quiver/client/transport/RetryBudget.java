package io.quiver.client.transport;

/**
 * Bounds retries to a share of what succeeds, so that a sick cluster is not asked even more than a
 * healthy one. Starts full; every success puts a tenth of a retry back.
 */
final class RetryBudget {
  private static final int RETRY = 10;

  private final int most;
  private int left;

  RetryBudget(int mostRetries) {
    this.most = mostRetries * RETRY;
    this.left = most;
  }

  synchronized boolean tryTake() {
    if (left < RETRY) {
      return false;
    }
    left -= RETRY;
    return true;
  }

  synchronized void succeeded() {
    left = Math.min(most, left + 1);
  }
}
