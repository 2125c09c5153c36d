package io.quiver.core.stream.pattern;

import java.util.Arrays;

/**
 * Compares the gaps between reads with those between uniformly drawn items, by Kolmogorov's and
 * Smirnov's statistic (IGTCache, §3.2).
 *
 * <p>Of c items the gap is 0 with probability 1/c and k with 2(c − k)/c². Reads that repeat the one
 * before are dropped, so a gap is at least 1, and k with 2(c − k)/c(c − 1); within an epoch, where
 * nothing repeats, it is just so. Gaps are whole numbers: the distributions are compared at whole
 * numbers only. Between them the expected one stands still too, and a test for continuous values
 * would refuse every small population.
 *
 * <p>Two gaps in a row share an item. That makes the statistic of uniform reads larger by the
 * factor 1.04, at any number of reads, than that of independent values.
 */
final class GapTest {
  private static final double DEPENDENCE = 1.04;

  private final KolmogorovQuantile quantile;

  /** Prepares the distance that gaps of uniform reads exceed with this probability. */
  GapTest(double probability) {
    this.quantile = new KolmogorovQuantile(probability);
  }

  /** Returns the distance that gaps of uniform reads exceed with the probability of this test. */
  double mostDistance(OrderedReads reads) {
    return DEPENDENCE * quantile.of(reads.size() - 1);
  }

  /** Returns the largest difference between the two distributions, at whole numbers. */
  static double distance(OrderedReads reads) {
    int[] items = reads.populationKnown ? reads.items : reads.ranks;
    int[] gaps = new int[Math.max(0, items.length - 1)];
    for (int read = 1; read < items.length; read++) {
      gaps[read - 1] = Math.abs(items[read] - items[read - 1]);
    }
    Arrays.sort(gaps);
    double largest = 0;
    double seen = 0;
    for (int at = 0; at < gaps.length; at++) {
      if (at == 0 || gaps[at] != gaps[at - 1]) {
        largest = Math.max(largest, expected(gaps[at] - 1L, reads.population) - seen);
      }
      seen = (at + 1.0) / gaps.length;
      if (at == gaps.length - 1 || gaps[at] != gaps[at + 1]) {
        largest = Math.max(largest, Math.abs(seen - expected(gaps[at], reads.population)));
      }
    }
    return largest;
  }

  /** Returns the probability that the gap between two different items is at most so long. */
  private static double expected(long gap, int population) {
    double count = population;
    return gap * (2 * count - gap - 1) / (count * (count - 1));
  }
}
