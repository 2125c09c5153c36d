package io.quiver.core.stream;

/** Inverts the normal distribution, to about seven digits. */
final class NormalQuantile {
  private static final int STEPS = 60;
  private static final double MOST = 9;

  private NormalQuantile() {}

  /** Returns the value that a normal variable exceeds with this probability. */
  static double upper(double probability) {
    double low = -MOST;
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

  /** Returns the probability to exceed a value (Abramowitz and Stegun, 26.2.17). */
  private static double tail(double value) {
    double size = Math.abs(value);
    double t = 1 / (1 + 0.2316419 * size);
    double sum =
        t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    double upper = sum * Math.exp(-size * size / 2) / Math.sqrt(2 * Math.PI);
    return value >= 0 ? upper : 1 - upper;
  }
}
