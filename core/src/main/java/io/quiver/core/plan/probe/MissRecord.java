package io.quiver.core.plan.probe;

/**
 * The measured speed of a job that reads the store.
 *
 * @param instance which run of the job
 * @param generation of the store's load, in which it was measured; see {@link ProbeBook.StoreLoad}
 * @param seconds the time of an item
 * @param uncachedSeconds the longest such time measured while nothing of the data set was held,
 *     with the jobs there are: what it would come to without the cache; 0 for none
 * @param probedAt when its last probe ended
 * @param lent whether another job measured it, one that is like this
 */
public record MissRecord(
    String instance,
    long generation,
    double seconds,
    double uncachedSeconds,
    long probedAt,
    boolean lent) {
  static final long NEVER = Long.MIN_VALUE / 2;

  static MissRecord unknown(String instance) {
    return new MissRecord(instance, -1, 0, 0, NEVER, false);
  }

  /** With what the job has measured itself. */
  MissRecord measured(long inGeneration, double time, double uncached) {
    return with(inGeneration, time, uncached, false);
  }

  /** With what a job like it has measured. */
  MissRecord lent(long inGeneration, double time) {
    return with(inGeneration, time, uncachedSeconds, true);
  }

  /** With what came of having nothing held. */
  MissRecord uncached(double time) {
    return with(generation, seconds, time, lent);
  }

  private MissRecord with(long inGeneration, double time, double uncached, boolean others) {
    boolean same =
        inGeneration == generation
            && time == seconds
            && uncached == uncachedSeconds
            && others == lent;
    return same ? this : new MissRecord(instance, inGeneration, time, uncached, probedAt, others);
  }

  MissRecord probed(long at) {
    return new MissRecord(instance, generation, seconds, uncachedSeconds, at, lent);
  }

  /**
   * Returns what the planner goes by: probes while others read the cache say too little of a busy
   * store.
   */
  double missSeconds() {
    return Math.max(seconds, uncachedSeconds);
  }
}
