package io.quiver.core.stream;

/**
 * Inverts the distribution of Kolmogorov's and Smirnov's statistic, for a known distribution and so
 * many values: the limit x for many values, less 1/(6√n) + x⁵/(40n) for few. That differs from the
 * exact quantile (Marsaglia, Tsang and Wang) by 0.0001 at most, from 19 values on and from a
 * significance of 0.05 down; at 99 values and 0.01 it is 0.1616.
 */
final class KolmogorovQuantile {
  private static final int STEPS = 60;
  private static final double MOST = 5;

  private KolmogorovQuantile() {}

  /** Returns the statistic that is exceeded with this probability. */
  static double upper(int values, double probability) {
    double root = Math.sqrt(values);
    double limit = limit(probability);
    return (limit - 1 / (6 * root) - Math.pow(limit, 5) / (40 * values)) / root;
  }

  private static double limit(double probability) {
    double low = 0.3;
    double high = MOST;
    for (int step = 0; step < STEPS; step++) {
      double middle = (low + high) / 2;
      if (tail(middle) > probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  private static double tail(double value) {
    double sum = 0;
    for (int term = 1; term <= 20; term++) {
      double part = Math.exp(-2.0 * term * term * value * value);
      sum += term % 2 == 1 ? part : -part;
    }
    return Math.min(1, 2 * sum);
  }
}
