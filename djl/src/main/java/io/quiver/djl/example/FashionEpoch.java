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
    LoaderStatistics counted = after.since(before);
    double items = Math.max(1, counted.delivered().items());
    long reads = counted.store().reads();
    return new FashionEpoch(
        epoch,
        rounded(seconds),
        rounded(trainLoss),
        rounded(testAccuracy),
        rounded(counted.delivered().hitRatio()),
        reads,
        rounded(reads / items),
        rounded(counted.times().waited() / Math.max(1e-9, seconds)));
  }

  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
