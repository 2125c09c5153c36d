package io.quiver.core.engine;

/**
 * Bounds what one job claims to bring chunks in. Items are claimed in lots, so that a question is
 * worth its round trip, and only few lots at a time, so that the rest is left to other jobs. While
 * batches wait for the store, one item at a time is claimed: the next one would hold a claim in a
 * queue behind them, and other jobs would wait for it.
 */
public final class PreloadThrottle {
  private final int lot;
  private final int lots;
  private final int busyLot;
  private int underWay;

  /**
   * Bounds claims to a few lots of so many items.
   *
   * @param lot how many items are claimed at once; 0 to claim nothing and only look
   * @param lots how many lots may be claimed and not be in the cache yet
   * @param busyLot how many items are claimed at once while batches wait for the store
   */
  public PreloadThrottle(int lot, int lots, int busyLot) {
    this.lot = lot;
    this.lots = lots;
    this.busyLot = busyLot;
  }

  /** Bounds the claims of a job that reads so many items at once from the store to preload. */
  public static PreloadThrottle of(int reads) {
    return new PreloadThrottle(reads, ReadRules.PRELOAD_LOTS, 1);
  }

  boolean claims() {
    return lot > 0;
  }

  /** Returns how many items may be claimed now. */
  public int mayClaim(boolean demandWaits) {
    if (demandWaits) {
      return underWay == 0 ? busyLot : 0;
    }
    return (long) lots * lot - underWay >= lot ? lot : 0;
  }

  /** Notes that so many claimed items are being fetched. */
  public void began(int items) {
    underWay += items;
  }

  /** Notes that the fetches of so many items have ended. */
  public void ended(int items) {
    underWay -= items;
  }

  int underWay() {
    return underWay;
  }
}
