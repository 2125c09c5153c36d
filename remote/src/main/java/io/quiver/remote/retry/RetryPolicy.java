package io.quiver.remote.retry;

import io.quiver.core.text.PlainDuration;
import io.quiver.remote.RetryConfig;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides whether a failed call is worth another attempt and how long to wait before it.
 *
 * <p>Waits grow exponentially and are drawn evenly from zero up to that bound, so that clients that
 * failed together do not come back together. Time and randomness are passed in.
 *
 * @param config how often and how patiently
 * @param deadline how long a call may take with all its repetitions
 */
public record RetryPolicy(RetryConfig config, Duration deadline) {

  /** The decision about a failure. */
  public sealed interface Decision {}

  /** Wait, then try again. */
  public record Retry(Duration delay) implements Decision {}

  /** Let the call fail. */
  public record GiveUp(String reason) implements Decision {}

  /**
   * Judges a failure that may pass.
   *
   * @param failures how often the call has failed by now, this time included
   * @param elapsed how long ago it began
   * @param asked the wait the service asked for; zero if it did not
   */
  public Decision decide(int failures, Duration elapsed, Duration asked, RandomGenerator random) {
    if (failures > config.retries()) {
      return new GiveUp("all " + config.retries() + " retries are used up");
    }
    Duration wait = wait(failures, asked, random);
    if (elapsed.plus(wait).compareTo(deadline) >= 0) {
      return new GiveUp(
          "another attempt would not end within the " + PlainDuration.of(deadline) + " allowed");
    }
    return new Retry(wait);
  }

  private Duration wait(int failures, Duration asked, RandomGenerator random) {
    Duration bound = bound(failures);
    Duration drawn =
        bound.isZero() ? bound : Duration.ofNanos(random.nextLong(bound.toNanos() + 1));
    return shorter(config.cap(), longer(drawn, asked));
  }

  /** Returns the longest wait after this many failures, doubling without overflow. */
  private Duration bound(int failures) {
    Duration bound = config.base();
    for (int i = 1; i < failures && bound.compareTo(config.cap()) < 0; i++) {
      bound = bound.plus(bound);
    }
    return shorter(bound, config.cap());
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
