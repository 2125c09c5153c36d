package io.quiver.core.benefit;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a job has measured of itself. An item is one of all its ranks' together.
 *
 * @param hit with the whole data set in the cache
 * @param shared while jobs bring it in together
 * @param miss with everything from the store
 * @param stall which part of the latest batches' time its loop waited for data
 * @param batches how many batches each rank has had
 * @param probed how many of them were supplied otherwise for a probe's sake
 * @param toCome how many are to come in this run; negative when nobody knows
 * @param leastProbe how many batches a probe needs to tell anything
 * @param lastProbe the last probe it has finished; 0 for none
 */
public record JobSpeeds(
    Timing hit,
    Timing shared,
    Timing miss,
    double stall,
    long batches,
    long probed,
    long toCome,
    int leastProbe,
    long lastProbe) {
  /** Nothing measured, and nothing known of what is to come. */
  public static final JobSpeeds NONE =
      new JobSpeeds(Timing.NONE, Timing.NONE, Timing.NONE, 0, 0, 0, -1, 1, 0);

  /** Refuses what cannot be. */
  public JobSpeeds {
    hit = orNone(hit);
    shared = orNone(shared);
    miss = orNone(miss);
    boolean counts = batches >= 0 && probed >= 0 && probed <= batches && leastProbe >= 1;
    if (!counts || !(stall >= 0 && stall <= 1)) {
      throw new IllegalArgumentException(
          "%d of %d batches probed, at least %d at a time; waiting for %s of the time"
              .formatted(probed, batches, leastProbe, stall));
    }
  }

  private static Timing orNone(@Nullable Timing timing) {
    return Objects.requireNonNullElse(timing, Timing.NONE);
  }
}
