package io.quiver.core.plan.review;

import io.quiver.core.plan.allocate.DatasetKey;
import java.util.List;

/**
 * The benefit of more or less capacity.
 *
 * @param capacityNow bytes there are to divide
 * @param capacityThen bytes there would be
 * @param gpusSavedNow GPUs' work saved by the cache as it is
 * @param gpusSavedThen and then
 * @param datasets what would be held
 * @param jobs how fast jobs would be
 */
public record WhatIf(
    long capacityNow,
    long capacityThen,
    double gpusSavedNow,
    double gpusSavedThen,
    List<DatasetOutlook> datasets,
    List<JobOutlook> jobs) {
  /** Keeps its own copies. */
  public WhatIf {
    datasets = List.copyOf(datasets);
    jobs = List.copyOf(jobs);
  }

  /**
   * A data set's part.
   *
   * @param dataset which one
   * @param bytes how long it is
   * @param bytesNow its share of the capacity
   * @param bytesThen and then
   */
  public record DatasetOutlook(DatasetKey dataset, long bytes, long bytesNow, long bytesThen) {}

  /**
   * A job's part, as far as its speeds are known.
   *
   * @param job its name
   * @param dataset what it reads
   * @param known whether it was measured; without that the rest says nothing
   * @param itemSecondsNow how long an item takes it
   * @param itemSecondsThen and then
   * @param speedup how many times as fast it would be
   */
  public record JobOutlook(
      String job,
      DatasetKey dataset,
      boolean known,
      double itemSecondsNow,
      double itemSecondsThen,
      double speedup) {}
}
