package io.quiver.simulator.model;

import io.quiver.simulator.engine.SeededNumbers;

/** The time that the GPUs of a job work on a batch. */
public final class Gpu {
  private final long batchNanos;
  private final double jitter;
  private final SeededNumbers random;

  /**
   * The GPUs of one job.
   *
   * @param batchNanos how long a whole batch takes on average
   * @param jitter each batch takes up to this share more or less, every share as likely
   */
  public Gpu(long batchNanos, double jitter, SeededNumbers random) {
    if (batchNanos < 0 || !(jitter >= 0 && jitter < 1)) {
      throw new IllegalArgumentException(
          "batches of " + batchNanos + " ns with a jitter of " + jitter + "; use 0 up to 1");
    }
    this.batchNanos = batchNanos;
    this.jitter = jitter;
    this.random = random;
  }

  /** Returns the time of the next batch, which has this share of a whole batch's items. */
  public long nanos(double share) {
    double factor = jitter == 0 ? 1 : 1 + jitter * (2 * random.fraction() - 1);
    return Math.round(batchNanos * share * factor);
  }
}
