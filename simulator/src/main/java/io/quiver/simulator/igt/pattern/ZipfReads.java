package io.quiver.simulator.igt.pattern;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Reads of items whose popularity follows Zipf's law: queries. */
final class ZipfReads implements ReadSource {
  /** Where the popular items lie. */
  enum Layout {
    /** Anywhere: names have nothing to do with popularity. */
    SCATTERED,
    /** Next to each other, from a place that is drawn. */
    ADJACENT
  }

  private final RandomGenerator random;
  private final double[] upTo;
  private final int[] byRank;

  /** Draws all of so many items equally often. */
  ZipfReads(int items, RandomGenerator random) {
    this(items, 0, Layout.ADJACENT, random);
  }

  /** Draws where the popular ones of so many items lie. */
  ZipfReads(int items, double exponent, Layout layout, RandomGenerator random) {
    this.random = random;
    this.upTo = new double[items];
    double sum = 0;
    for (int rank = 0; rank < items; rank++) {
      sum += Math.pow(rank + 1, -exponent);
      upTo[rank] = sum;
    }
    int first = random.nextInt(items);
    this.byRank =
        layout == Layout.SCATTERED
            ? Shuffle.of(items, random)
            : IntStream.range(0, items).map(rank -> (first + rank) % items).toArray();
  }

  @Override
  public Read next() {
    int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[upTo.length - 1]);
    return new Read(byRank[found < 0 ? -1 - found : found], 0);
  }
}
