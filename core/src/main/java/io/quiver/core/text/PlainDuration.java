package io.quiver.core.text;

import java.time.Duration;

/** Writes durations for people: {@code 350 ms}, {@code 3 s}, {@code 5 min}. */
public final class PlainDuration {
  private static final Duration LONGEST_IN_SECONDS = Duration.ofMinutes(2);

  private PlainDuration() {}

  /** Returns a duration in the largest unit that loses nothing a reader would act on. */
  public static String of(Duration duration) {
    if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return Math.ceilDiv(duration.toNanos(), 1_000_000) + " ms";
    }
    if (duration.compareTo(LONGEST_IN_SECONDS) < 0) {
      return duration.toSeconds() + " s";
    }
    return duration.toMinutes() + " min";
  }
}
