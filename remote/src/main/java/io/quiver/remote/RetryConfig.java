package io.quiver.remote;

import io.quiver.core.text.PlainDuration;
import java.time.Duration;

/**
 * Settings for repeating failed requests.
 *
 * @param retries how often one call may be repeated after its first attempt; 0 for never
 * @param base the longest wait before the first repetition; it doubles with each further one
 * @param cap the longest wait before any repetition
 * @param budget how many repetitions all calls of a store may owe together; every ten successes pay
 *     one back, so that an outage does not multiply the load on a store that is down
 */
public record RetryConfig(int retries, Duration base, Duration cap, int budget) {
  /** Five repetitions, 100 ms doubling to at most 10 s, 100 owed at most. */
  public static final RetryConfig DEFAULT =
      new RetryConfig(5, Duration.ofMillis(100), Duration.ofSeconds(10), 100);

  public RetryConfig {
    if (retries < 0 || retries > 100) {
      throw new IllegalArgumentException("retries must be 0 to 100, not " + retries);
    }
    if (base.isNegative() || cap.compareTo(base) < 0) {
      throw new IllegalArgumentException(
          "waits must satisfy 0 <= base <= cap, not base "
              + PlainDuration.of(base)
              + " and cap "
              + PlainDuration.of(cap));
    }
    if (budget < 0) {
      throw new IllegalArgumentException("the retry budget cannot be negative: " + budget);
    }
  }
}
