package io.quiver.node.job;

/**
 * The result of one epoch of a job, all ranks together.
 *
 * @param epoch which, from 0
 * @param seconds how long it took
 * @param samples items delivered, padding included
 * @param hits those that came from the cache
 * @param waitSeconds how long the ranks waited for batches, added up
 * @param workSeconds how long they worked, added up
 * @param storeReads items read from the store, also for others and ahead of time
 * @param storeBytes their bytes
 * @param duplicates those that turned out to be in the cache when they were inserted
 * @param changed items that were not what the digest says
 * @param missing items the ledgers say did not come
 * @param doubled items the ledgers say came more than once
 * @param padded deliveries that only keep the ranks in step
 * @param exactlyOnce whether the ledgers prove this epoch, and those before that an earlier run
 *     began
 */
public record EpochResult(
    int epoch,
    double seconds,
    long samples,
    long hits,
    double waitSeconds,
    double workSeconds,
    long storeReads,
    long storeBytes,
    long duplicates,
    long changed,
    int missing,
    int doubled,
    long padded,
    boolean exactlyOnce) {

  /** Returns the samples delivered per second. */
  public double samplesPerSecond() {
    return seconds > 0 ? samples / seconds : 0;
  }

  /** Returns which part of the samples came from the cache. */
  public double hitRatio() {
    return samples == 0 ? 0 : (double) hits / samples;
  }

  /** Returns which part of their time the ranks waited. */
  public double stall() {
    double all = waitSeconds + workSeconds;
    return all == 0 ? 0 : waitSeconds / all;
  }

  /** Returns both together; the epoch's number is of no meaning then. */
  EpochResult plus(EpochResult other) {
    return new EpochResult(
        other.epoch,
        seconds + other.seconds,
        samples + other.samples,
        hits + other.hits,
        waitSeconds + other.waitSeconds,
        workSeconds + other.workSeconds,
        storeReads + other.storeReads,
        storeBytes + other.storeBytes,
        duplicates + other.duplicates,
        changed + other.changed,
        missing + other.missing,
        doubled + other.doubled,
        padded + other.padded,
        exactlyOnce && other.exactlyOnce);
  }
}
