package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;

/**
 * The properties of a job beside the data it reads.
 *
 * @param user whose it is; empty when it does not say
 * @param gpus how many GPUs wait when it waits
 * @param store a short name of the store it reads, the same for all jobs that read it; says nothing
 *     else, and empty when it does not say
 */
public record JobTraits(String user, int gpus, String store) {
  /** A job that says nothing of itself. */
  public static final JobTraits UNKNOWN = new JobTraits("", 1, "");

  private static final int MAX_LENGTH = 128;
  static final int MAX_GPUS = 1_000_000;

  /** Refuses what cannot be. */
  public JobTraits {
    user = Bounds.textOrEmpty("user", user, MAX_LENGTH);
    store = Bounds.textOrEmpty("store", store, MAX_LENGTH);
    Bounds.whole("gpus", gpus, 1, MAX_GPUS);
  }
}
