package io.quiver.core.plan.allocate;

/**
 * The speed of a job with and without the cache, as measured by probing.
 *
 * @param job its name
 * @param gpus how many GPUs it occupies
 * @param hitSeconds time of an item when all are in the cache
 * @param missSeconds time of an item when none are, with the store as busy as it is
 * @param sharedSeconds time of an item when all its jobs together bring in the data set and none of
 *     it is pinned; 0 while that was not measured
 * @param waits true if it waits for each read by itself, as programs do that know no loader: then
 *     every miss costs it time, and not only those beyond what the store brings in meanwhile
 */
public record JobSpeed(
    String job,
    int gpus,
    double hitSeconds,
    double missSeconds,
    double sharedSeconds,
    boolean waits) {
  /** A job that is less than this much faster with the cache gains nothing from it. */
  public static final double LEAST_BENEFIT = 1.05;

  /** A job that gained gains nothing below this benefit. */
  private static final double STILL_A_BENEFIT = 1.02;

  /** Refuses what cannot be measured. */
  public JobSpeed {
    boolean times = hitSeconds > 0 && missSeconds > 0 && sharedSeconds >= 0;
    if (gpus < 1 || !times || !Double.isFinite(hitSeconds + missSeconds + sharedSeconds)) {
      throw new IllegalArgumentException(
          "job %s with %d GPUs: %s s an item from the cache, %s s from the store, %s s shared"
              .formatted(job, gpus, hitSeconds, missSeconds, sharedSeconds));
    }
  }

  /** Makes the speed of a job that was not measured while chunks rotated. */
  public static JobSpeed of(String job, int gpus, double hitSeconds, double missSeconds) {
    return new JobSpeed(job, gpus, hitSeconds, missSeconds, 0, false);
  }

  /** Makes the speed of a program that waits for each of its reads. */
  public static JobSpeed waiting(String job, double hitSeconds, double missSeconds) {
    return new JobSpeed(job, 1, hitSeconds, missSeconds, 0, true);
  }

  /** Returns a copy that is supplied so many items a second where sharing was not measured. */
  public JobSpeed sharing(double supply) {
    return sharedSeconds > 0
        ? this
        : new JobSpeed(job, gpus, hitSeconds, missSeconds, 1 / supply, waits);
  }

  /** Returns how many times as fast it is with everything in the cache (Quiver's b). */
  public double benefit() {
    return Math.max(1, missSeconds / hitSeconds);
  }

  /** Returns true if caching makes a difference to it. */
  public boolean gains() {
    return benefit() >= LEAST_BENEFIT - 1e-9;
  }

  /**
   * Returns a copy for a job that gained so far: it goes on to as long as it is not clearly below
   * the bound, so that a job near it does not have its data come and go.
   */
  public JobSpeed gainedBefore() {
    boolean near = !gains() && benefit() >= STILL_A_BENEFIT;
    return near
        ? new JobSpeed(job, gpus, hitSeconds, hitSeconds * LEAST_BENEFIT, sharedSeconds, waits)
        : this;
  }

  /**
   * Returns the time of an item.
   *
   * @param unread the share of reads that go to the store
   * @param storeSeconds the time of an item that the store answers
   */
  double itemSeconds(double unread, double storeSeconds) {
    return waits
        ? hitSeconds + unread * Math.max(0, storeSeconds - hitSeconds)
        : Math.max(hitSeconds, unread * storeSeconds);
  }

  /** GPUs it is worth more than without a cache, when an item takes it this long. */
  double gpusSaved(double itemSeconds) {
    double time = Math.clamp(itemSeconds, hitSeconds, Math.max(hitSeconds, missSeconds));
    return gpus * (Math.max(hitSeconds, missSeconds) / time - 1);
  }
}
