package io.quiver.core.order;

import io.quiver.core.order.ShuffleQuality.Independence;

/** Pearson's test of independence on a table of counts. */
final class ChiSquare {
  private ChiSquare() {}

  static Independence independence(long[][] counts) {
    long[] rows = new long[counts.length];
    long[] columns = new long[counts[0].length];
    long total = 0;
    for (int row = 0; row < rows.length; row++) {
      for (int column = 0; column < columns.length; column++) {
        rows[row] += counts[row][column];
        columns[column] += counts[row][column];
        total += counts[row][column];
      }
    }
    double statistic = 0;
    for (int row = 0; row < rows.length; row++) {
      for (int column = 0; column < columns.length; column++) {
        double expected = (double) rows[row] * columns[column] / Math.max(1, total);
        double off = counts[row][column] - expected;
        statistic += expected == 0 ? 0 : off * off / expected;
      }
    }
    int degrees = Math.max(0, filled(rows) - 1) * Math.max(0, filled(columns) - 1);
    return new Independence(statistic, degrees, probability(statistic, degrees));
  }

  private static int filled(long[] sums) {
    int filled = 0;
    for (long sum : sums) {
      filled += sum > 0 ? 1 : 0;
    }
    return filled;
  }

  /**
   * Approximates after Wilson and Hilferty: the cube root of chi-square over its degrees is nearly
   * normal.
   */
  static double probability(double statistic, int degrees) {
    if (degrees <= 0) {
      return 1;
    }
    double spread = 2.0 / (9 * degrees);
    return upperTail((Math.cbrt(statistic / degrees) - (1 - spread)) / Math.sqrt(spread));
  }

  /**
   * Returns the share beyond z on the normal curve (Abramowitz and Stegun 26.2.17, seven digits).
   */
  private static double upperTail(double z) {
    double t = 1 / (1 + 0.2316419 * Math.abs(z));
    double series =
        t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    double tail = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * series;
    return z >= 0 ? tail : 1 - tail;
  }
}
