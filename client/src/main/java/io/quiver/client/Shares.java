package io.quiver.client;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Divides what is wanted among parts in proportion to what each could give. */
final class Shares {
  private Shares() {}

  /**
   * Whole-number shares by largest remainder; ties go to the earlier part.
   *
   * @param sizes how much each part could give
   * @param want how much is wanted of all together
   * @return a share for each part, never more than its size, together {@code want} or all there is
   */
  static int[] of(int[] sizes, int want) {
    long total = Arrays.stream(sizes).asLongStream().sum();
    if (want >= total) {
      return sizes.clone();
    }
    int[] shares = new int[sizes.length];
    long[] remainders = new long[sizes.length];
    int left = want;
    for (int i = 0; i < sizes.length; i++) {
      long exact = (long) sizes[i] * want;
      shares[i] = (int) (exact / total);
      remainders[i] = exact % total;
      left -= shares[i];
    }
    IntStream.range(0, sizes.length)
        .boxed()
        .sorted(Comparator.comparingLong((Integer i) -> -remainders[i]))
        .limit(left)
        .forEach(i -> shares[i]++);
    return shares;
  }
}
