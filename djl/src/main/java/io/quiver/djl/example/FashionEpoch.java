package io.quiver.djl.example;

import io.quiver.client.loader.LoaderStatistics;

/**
 * The result of one epoch.
 *
 * @param epoch which, from 1
 * @param seconds how long training took, without the test
 * @param trainLoss mean loss over its batches
 * @param testAccuracy share of test pictures told right after it
 * @param hitRatio share of its samples that came from the cache
 * @param storeReads samples read from the store, those that filled the cache included
 * @param storeReadsPerItem the same for each item
 * @param stall share of the time that training waited for samples
 */
record FashionEpoch(
    int epoch,
    double seconds,
    double trainLoss,
    double testAccuracy,
    double hitRatio,
    long storeReads,
    double storeReadsPerItem,
    double stall) {

  /** Returns the result of an epoch, from the loader's counts before and after it. */
  static FashionEpoch of(
      int epoch,
      double seconds,
      double trainLoss,
      double testAccuracy,
      LoaderStatistics before,
      LoaderStatistics after) {
    double items = Math.max(1, after.items() - before.items());
    long reads = after.storeReads() - before.storeReads();
    return new FashionEpoch(
        epoch,
        rounded(seconds),
        rounded(trainLoss),
        rounded(testAccuracy),
        rounded((cached(after) - cached(before)) / items),
        reads,
        rounded(reads / items),
        rounded((after.waitSeconds() - before.waitSeconds()) / Math.max(1e-9, seconds)));
  }

  private static double cached(LoaderStatistics statistics) {
    return statistics.hits() + statistics.cooperative();
  }

  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
