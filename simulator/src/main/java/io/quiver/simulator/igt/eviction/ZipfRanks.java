package io.quiver.simulator.igt.eviction;

import io.quiver.simulator.engine.SeededNumbers;
import java.util.Arrays;

/** Draws ranks whose popularity falls with a power of the rank (Zipf): 0 is the most popular. */
public final class ZipfRanks {
  private final double[] sums;

  /**
   * Prepares the draws.
   *
   * @param items how many ranks there are
   * @param exponent of popularity: 0 makes all equally popular
   */
  public ZipfRanks(int items, double exponent) {
    sums = new double[items];
    double sum = 0;
    for (int rank = 0; rank < items; rank++) {
      sum += Math.pow(rank + 1.0, -exponent);
      sums[rank] = sum;
    }
  }

  /** Draws a rank. */
  public int draw(SeededNumbers numbers) {
    int at = Arrays.binarySearch(sums, numbers.fraction() * sums[sums.length - 1]);
    return Math.min(sums.length - 1, at < 0 ? -at - 1 : at);
  }
}
