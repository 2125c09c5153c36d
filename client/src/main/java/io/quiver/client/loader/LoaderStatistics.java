package io.quiver.client.loader;

/**
 * Counters of a loader, in an epoch or altogether.
 *
 * @param batches batches delivered
 * @param items items delivered
 * @param bytes their bytes
 * @param hits items that the cache had when they were asked for
 * @param substituted hits taken in place of items that were not there
 * @param cooperative items that another job brought in while this one waited
 * @param storeReads items read from the store, preloading included
 * @param storeBytes their bytes
 * @param preloaded items read from the store ahead of time for all jobs
 * @param duplicates items read from the store that turned out to be in the cache when inserted
 * @param inserted items that were inserted into the cache
 * @param insertFailures items that could not be inserted
 * @param mismatches items whose bytes in the store were not those the digest names
 * @param waitSeconds how long the training loop waited for batches
 * @param fetchSeconds how long batches took to be read, one by one
 * @param transformSeconds how long the training loop prepared batches, as it said itself
 * @param computeSeconds how long it worked otherwise
 */
public record LoaderStatistics(
    long batches,
    long items,
    long bytes,
    long hits,
    long substituted,
    long cooperative,
    long storeReads,
    long storeBytes,
    long preloaded,
    long duplicates,
    long inserted,
    long insertFailures,
    long mismatches,
    double waitSeconds,
    double fetchSeconds,
    double transformSeconds,
    double computeSeconds) {

  /** Returns which part of the items came from the cache; 0 when there were none. */
  public double hitRatio() {
    return items == 0 ? 0 : (double) (hits + cooperative) / items;
  }

  /** Returns which part of its time the training loop waited. */
  public double stallRatio() {
    double all = waitSeconds + transformSeconds + computeSeconds;
    return all == 0 ? 0 : waitSeconds / all;
  }
}
