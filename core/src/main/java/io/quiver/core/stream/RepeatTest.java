package io.quiver.core.stream;

/**
 * Tests if reads come back to items more often than equal popularity allows. Pairs of reads of one
 * item are counted if they lie well apart: near each other they tell of a file that is read in
 * pieces, or of readers in step, at any popularity.
 *
 * <p>Of c items n uniform reads make n(n − 1)/2c pairs on average. For few pairs their number has
 * Poisson's distribution. For many it is as skewed as chi-square, which the third moment accounts
 * for (Wilson and Hilferty).
 */
final class RepeatTest {
  /** Repeats within so many reads are no sign of popularity. */
  static final int REACH = 16;

  /** Up to this many pairs Poisson's distribution is summed. */
  private static final double MOST_SUMMED = 400;

  private RepeatTest() {}

  /** Returns how many reads back a repeat is near, in a window of this many reads. */
  static int reach(int reads) {
    return Math.min(REACH, reads / 6);
  }

  /** Returns the pairs of reads of one item that lie more than so many reads apart. */
  static long farPairs(ReadOrder reads, int reach) {
    long pairs = 0;
    int[] seen = new int[reads.distinct.length];
    for (int read = 0; read < reads.size(); read++) {
      int left = read - reach - 1;
      if (left >= 0) {
        seen[reads.ranks[left]]++;
      }
      pairs += seen[reads.ranks[read]];
    }
    return pairs;
  }

  /** Returns the population of which equal popularity would show as many different items. */
  static double evenPopulation(int reads, int distinct) {
    if (distinct >= reads) {
      return Double.POSITIVE_INFINITY;
    }
    double seen = (double) distinct / reads;
    double low = 1e-9; // reads per item
    double high = 1 / seen;
    for (int step = 0; step < 60; step++) {
      double middle = (low + high) / 2;
      if (-Math.expm1(-middle) / middle > seen) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return reads / low;
  }

  /**
   * Returns the number of far pairs that uniform reads exceed with at most this probability.
   *
   * @param population how many items there are; infinite for so many that none is read twice
   */
  static double mostPairs(int reads, int reach, double population, double probability) {
    double far = Math.max(0, reads - reach);
    double pairs = far * (far - 1) / 2;
    double share = 1 / population;
    double mean = pairs * share;
    if (mean == 0) {
      return 0;
    }
    double normal = NormalQuantile.upper(probability);
    double variance = mean * (1 - share);
    double third =
        variance * (1 - 2 * share) + far * (far - 1) * (far - 2) * share * share * (1 - share);
    double smooth = mean + Math.sqrt(variance) * pearson(normal, third / Math.pow(variance, 1.5));
    return mean > MOST_SUMMED ? smooth : Math.max(smooth, poisson(mean, probability));
  }

  /** Returns a quantile of a distribution with mean 0, deviation 1 and this skewness. */
  private static double pearson(double normal, double skewness) {
    if (Double.isNaN(skewness) || Math.abs(skewness) < 1e-6) {
      return Double.isNaN(skewness) ? 0 : normal;
    }
    double root = 1 + skewness * normal / 6 - skewness * skewness / 36;
    return 2 / skewness * (root * root * root - 1);
  }

  /** Returns the number that a Poisson variable exceeds with at most this probability. */
  private static double poisson(double mean, double probability) {
    double term = Math.exp(-mean);
    double rest = 1 - term;
    int count = 0;
    while (rest > probability && count < 4 * MOST_SUMMED) {
      count++;
      term *= mean / count;
      rest -= term;
    }
    return count;
  }
}
