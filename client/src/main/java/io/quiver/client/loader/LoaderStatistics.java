package io.quiver.client.loader;

/**
 * Counters of a loader, in an epoch or altogether.
 *
 * @param delivered what the training loop was given
 * @param store what was read from the store, and became of it
 * @param times where the time of the training loop went
 */
public record LoaderStatistics(DeliveredItems delivered, StoreTraffic store, BatchTimes times) {
  /** Counters of a loader that has done nothing. */
  public static final LoaderStatistics NONE =
      new LoaderStatistics(
          DeliveredItems.NOTHING, StoreTraffic.NOTHING, new BatchTimes(0, 0, 0, 0));

  /**
   * The items that a training loop was given.
   *
   * @param batches batches
   * @param items their items
   * @param bytes their bytes
   * @param hits items that the cache had when they were asked for
   * @param substituted hits taken in place of items that were not there
   * @param cooperative items that another job brought in while this one waited
   */
  public record DeliveredItems(
      long batches, long items, long bytes, long hits, long substituted, long cooperative) {
    /** No items. */
    public static final DeliveredItems NOTHING = new DeliveredItems(0, 0, 0, 0, 0, 0);

    /** Returns how many items came from the cache. */
    public long cached() {
      return hits + cooperative;
    }

    /** Returns which part of the items came from the cache; 0 when there were none. */
    public double hitRatio() {
      return items == 0 ? 0 : (double) cached() / items;
    }

    /** Returns both together. */
    public DeliveredItems plus(DeliveredItems other) {
      return with(other, 1);
    }

    DeliveredItems minus(DeliveredItems before) {
      return with(before, -1);
    }

    private DeliveredItems with(DeliveredItems other, int sign) {
      return new DeliveredItems(
          batches + sign * other.batches,
          items + sign * other.items,
          bytes + sign * other.bytes,
          hits + sign * other.hits,
          substituted + sign * other.substituted,
          cooperative + sign * other.cooperative);
    }
  }

  /**
   * The items that were read from the store.
   *
   * @param reads items, preloading included
   * @param bytes their bytes
   * @param preloaded those read ahead of time for all jobs
   * @param duplicates those that turned out to be in the cache when inserted
   * @param inserted items that were inserted into the cache
   * @param insertFailures items that could not be inserted
   * @param mismatches items whose bytes in the store were not those the digest names
   */
  public record StoreTraffic(
      long reads,
      long bytes,
      long preloaded,
      long duplicates,
      long inserted,
      long insertFailures,
      long mismatches) {
    /** No items. */
    public static final StoreTraffic NOTHING = new StoreTraffic(0, 0, 0, 0, 0, 0, 0);

    /** Returns both together. */
    public StoreTraffic plus(StoreTraffic other) {
      return with(other, 1);
    }

    StoreTraffic minus(StoreTraffic before) {
      return with(before, -1);
    }

    private StoreTraffic with(StoreTraffic other, int sign) {
      return new StoreTraffic(
          reads + sign * other.reads,
          bytes + sign * other.bytes,
          preloaded + sign * other.preloaded,
          duplicates + sign * other.duplicates,
          inserted + sign * other.inserted,
          insertFailures + sign * other.insertFailures,
          mismatches + sign * other.mismatches);
    }
  }

  /**
   * The time of a training loop, in seconds.
   *
   * @param waited how long it waited for batches
   * @param fetched how long batches took to be read, one by one
   * @param transformed how long it prepared batches, as it said itself
   * @param computed how long it worked otherwise
   */
  public record BatchTimes(double waited, double fetched, double transformed, double computed) {
    /** Returns which part of its time the training loop waited. */
    public double stall() {
      double all = waited + transformed + computed;
      return all == 0 ? 0 : waited / all;
    }

    private BatchTimes minus(BatchTimes before) {
      return new BatchTimes(
          waited - before.waited,
          fetched - before.fetched,
          transformed - before.transformed,
          computed - before.computed);
    }
  }

  /** Returns what was counted since an earlier look. */
  public LoaderStatistics since(LoaderStatistics before) {
    return new LoaderStatistics(
        delivered.minus(before.delivered), store.minus(before.store), times.minus(before.times));
  }
}
