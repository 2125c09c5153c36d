package io.quiver.client.transport;

/**
 * Bounds retries to a share of the successes, so that an overloaded cluster does not get more
 * requests than a healthy one. It starts full; every success adds a tenth of a retry.
 */
final class RetryTokens {
  private static final int RETRY = 10;

  private final int most;
  private int left;

  RetryTokens(int mostRetries) {
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
