package io.quiver.benchmarks.section;

import java.util.Arrays;
import java.util.List;

/** The middle of a few measurements. */
final class Median {
  private Median() {}

  static double of(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
