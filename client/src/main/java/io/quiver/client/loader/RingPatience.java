package io.quiver.client.loader;

import io.quiver.core.plan.DatasetPlan;
import io.quiver.core.sampling.EpochSampler;
import io.quiver.core.sampling.Residency;
import java.time.Duration;
import java.util.List;

/**
 * Decides whether a job that has used up all that is cached waits for the next chunk of the ring,
 * or reads from the store what the cache will bring by and by. Waiting is what keeps reads at once
 * per item for all jobs together; it ends after a while without a new plan, and near the end of the
 * epoch, where little is left to share.
 */
final class RingPatience {
  private static final long LONGEST_NANOS = Duration.ofSeconds(1).toNanos();

  private final int batch;
  private long version = -1;
  private long since;

  RingPatience(int batch) {
    this.batch = batch;
  }

  /**
   * Whether to wait rather than draw.
   *
   * @param reachable whether a new plan can come at all
   * @param ownChunk how many items of a chunk are this rank's
   */
  boolean waits(
      DatasetPlan plan,
      long planVersion,
      EpochSampler sampler,
      int ownChunk,
      boolean reachable,
      long now) {
    int left = sampler.available();
    boolean starved =
        plan.ring()
            && reachable
            && left >= ownChunk
            && near(plan.residency(), sampler) < Math.min(batch, left);
    if (!starved) {
      version = -1;
      return false;
    }
    if (version != planVersion) {
      version = planVersion;
      since = now;
    }
    return now - since < LONGEST_NANOS;
  }

  private static int near(Residency residency, EpochSampler sampler) {
    return sum(residency.pinned(), sampler)
        + sum(residency.window(), sampler)
        + sum(residency.loading(), sampler);
  }

  private static int sum(List<Integer> chunks, EpochSampler sampler) {
    int sum = 0;
    for (int chunk : chunks) {
      sum += sampler.available(chunk);
    }
    return sum;
  }
}
