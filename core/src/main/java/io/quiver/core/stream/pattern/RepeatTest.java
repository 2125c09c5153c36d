package io.quiver.core.stream.pattern;

/**
 * Tests if reads come back to items more often than equal popularity allows: counts the pairs of
 * reads of one item.
 *
 * <p>Of c items n uniform reads make n(n − 1)/2c pairs on average. For few pairs their number has
 * Poisson's distribution. For many it is as skewed as chi-square, which the third moment accounts
 * for (Wilson and Hilferty). Reads of an epoch, where nothing repeats, make fewer.
 *
 * <p>Pairs that lie near each other tell of a file that is read in pieces by several readers, or of
 * readers in step, at any popularity. If far more pairs are near than an order that is drawn has,
 * they are left out.
 */
final class RepeatTest {
  /** Repeats within so many reads are near. */
  private static final int REACH = 16;

  /** A window has so many times as many reads as are near. */
  private static final int REACH_PART = 6;

  /** The deviations by which more pairs are near than by chance, for bursts. */
  private static final double BURST_DEVIATIONS = 4;

  /** Up to this many pairs Poisson's distribution is summed. */
  private static final double MOST_SUMMED = 400;

  private final double probability;
  private final double normal;

  /** Prepares the number of pairs that uniform reads exceed with this probability at most. */
  RepeatTest(double probability) {
    this.probability = probability;
    this.normal = normalQuantile(probability);
  }

  /** Returns how many reads back a repeat is near. */
  static int reach(OrderedReads reads) {
    return Math.min(REACH, reads.size() / REACH_PART);
  }

  /** Returns true if more pairs are near than by chance. */
  static boolean hasBursts(OrderedReads reads) {
    int reach = reach(reads);
    long pairs = pairs(reads, 0);
    long near = pairs - pairs(reads, reach);
    double far = 1 - (double) reach / reads.size();
    double chance = 1 - far * far;
    double deviation = Math.sqrt(pairs * chance * (1 - chance));
    return near > pairs * chance + BURST_DEVIATIONS * deviation + 1;
  }

  /** Returns the pairs of reads of one item. */
  static long pairs(OrderedReads reads) {
    return pairs(reads, 0);
  }

  /** Returns the pairs of reads of one item that lie more than so many reads apart. */
  private static long pairs(OrderedReads reads, int reach) {
    long pairs = 0;
    int[] seen = new int[reads.distinct.length];
    for (int read = reach + 1; read < reads.size(); read++) {
      seen[reads.ranks[read - reach - 1]]++;
      pairs += seen[reads.ranks[read]];
    }
    return pairs;
  }

  /** Returns the pairs that equal popularity makes on average. */
  static double meanPairs(int reads, double population) {
    return reads * (reads - 1.0) / 2 / population;
  }

  /**
   * Returns the population of which uniform reads would show as many different items; infinite if
   * nothing repeats.
   */
  static double evenPopulation(OrderedReads reads) {
    int size = reads.size();
    if (reads.distinct.length >= size) {
      return Double.POSITIVE_INFINITY;
    }
    double seen = (double) reads.distinct.length / size;
    double low = 0; // reads per item
    double high = 1 / seen;
    for (int step = 0; step < 40; step++) {
      double middle = (low + high) / 2;
      if (-Math.expm1(-middle) / middle > seen) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return size / high;
  }

  /**
   * Returns the number of pairs that uniform reads exceed with the probability of this test.
   *
   * @param population how many items there are; infinite for so many that none is read twice
   */
  double mostPairs(int reads, double population) {
    double mean = meanPairs(reads, population);
    if (mean == 0) {
      return 0;
    }
    double share = 1 / population;
    double variance = mean * (1 - share);
    if (variance <= 0) {
      return mean;
    }
    double triples = reads * (reads - 1.0) * (reads - 2.0);
    double third = variance * (1 - 2 * share) + triples * share * share * (1 - share);
    double skewness = third / Math.pow(variance, 1.5);
    double root = 1 + skewness * normal / 6 - skewness * skewness / 36;
    double smooth = mean + Math.sqrt(variance) * 2 / skewness * (root * root * root - 1);
    return mean > MOST_SUMMED ? smooth : Math.max(smooth, poisson(mean));
  }

  /** Returns the number that a Poisson variable exceeds with the probability of this test. */
  private double poisson(double mean) {
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

  /** Returns the value that a normal variable exceeds (Abramowitz and Stegun, 26.2.23). */
  private static double normalQuantile(double probability) {
    if (probability > 0.5) {
      return -normalQuantile(1 - probability);
    }
    double t = Math.sqrt(-2 * Math.log(probability));
    return t
        - (2.515517 + t * (0.802853 + t * 0.010328))
            / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  }
}
