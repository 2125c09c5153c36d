package io.quiver.core.stream.pattern;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamWindow;
import java.util.Arrays;

/**
 * Recognises patterns as the paper does (IGTCache, §3.2), to compare with: sequential if most gaps
 * between reads, of all readers together, are small steps forward; random if the test of Kolmogorov
 * and Smirnov for continuous values, as {@code scipy.stats.kstest} makes it, finds the gaps of
 * uniform reads; skewed otherwise.
 */
public final class GapsAlone {
  private static final double MOSTLY = 0.8;
  private static final int LONGEST_STEP = 4;

  private final StreamRules rules;
  private final KolmogorovQuantile quantile;

  /** Tests by these numbers. */
  public GapsAlone(StreamRules rules) {
    this.rules = rules;
    this.quantile = new KolmogorovQuantile(rules.significance());
  }

  /** Returns the pattern of a window of reads. */
  public Recognition recognize(StreamWindow window) {
    int[] items = window.indices();
    if (items.length < rules.window() || window.population() < 2) {
      return new Recognition(
          AccessPattern.UNKNOWN,
          Recognition.Evidence.TOO_FEW,
          items.length,
          rules.window(),
          items.length);
    }
    double forward = forward(items);
    if (forward >= MOSTLY) {
      return new Recognition(
          AccessPattern.SEQUENTIAL, Recognition.Evidence.RUNS, forward, MOSTLY, items.length);
    }
    double distance = distance(items, window.population());
    double most = quantile.of(items.length - 1);
    return distance <= most
        ? new Recognition(
            AccessPattern.RANDOM, Recognition.Evidence.GAPS, distance, most, items.length)
        : new Recognition(
            AccessPattern.SKEWED, Recognition.Evidence.OTHER_GAPS, distance, most, items.length);
  }

  private static double forward(int[] items) {
    int forward = 0;
    for (int read = 1; read < items.length; read++) {
      long step = (long) items[read] - items[read - 1];
      forward += step >= 1 && step <= LONGEST_STEP ? 1 : 0;
    }
    return (double) forward / (items.length - 1);
  }

  private static double distance(int[] items, int population) {
    double[] gaps = new double[items.length - 1];
    for (int read = 1; read < items.length; read++) {
      gaps[read - 1] = Math.abs((double) items[read] - items[read - 1]);
    }
    Arrays.sort(gaps);
    double count = population;
    double largest = 0;
    for (int at = 0; at < gaps.length; at++) {
      double expected = gaps[at] * (2 * count - gaps[at] - 1) / (count * (count - 1));
      double above = (at + 1.0) / gaps.length - expected;
      double below = expected - (double) at / gaps.length;
      largest = Math.max(largest, Math.max(above, below));
    }
    return largest;
  }
}
