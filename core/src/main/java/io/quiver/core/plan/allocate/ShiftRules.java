package io.quiver.core.plan.allocate;

import java.time.Duration;

/**
 * The numbers of {@link IgtAllocation}.
 *
 * @param bytes most bytes that a round moves
 * @param every the time from one round to the next
 * @param leastBytes every tenant keeps so many bytes at least, as far as it can use them
 * @param clearly bytes move only to a tenant whose marginal benefit is more than this many times
 *     that of the tenant who gives them
 */
public record ShiftRules(long bytes, Duration every, long leastBytes, double clearly) {
  /** The paper's: 640 MB every 60 s, and any difference counts (IGTCache, §4 and §5.4). */
  public static final ShiftRules PAPER =
      new ShiftRules(640_000_000, Duration.ofSeconds(60), 640_000_000, 1);

  /** Refuses what cannot be. */
  public ShiftRules {
    if (bytes < 0 || leastBytes < 0 || every.isNegative() || !(clearly >= 1)) {
      throw new IllegalArgumentException(
          "%d bytes every %s, at least %d for each, for a benefit %s times as large"
                  .formatted(bytes, every, leastBytes, clearly)
              + "; nothing is negative, and the factor is 1 at least");
    }
  }

  /** Returns a copy for a cluster whose data and cache are this many times as large. */
  public ShiftRules scaled(double scale) {
    return new ShiftRules(
        Math.round(scale * bytes), every, Math.round(scale * leastBytes), clearly);
  }

  /** Returns a copy in which only a clear difference counts. */
  public ShiftRules clearly(double times) {
    return new ShiftRules(bytes, every, leastBytes, times);
  }
}
