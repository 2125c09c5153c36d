package io.quiver.core.plan.probe;

/** The ways in which the items of a batch came to a job. */
public enum SupplyMode {
  /** All were in the cache, which holds the whole data set. */
  HIT,
  /** Several jobs bring the data set in together; what is not pinned comes by turns. */
  SHARED,
  /** All came from the store: nothing was cached, or the job was told not to look. */
  MISS,
  /** Some of each: tells nothing by itself. */
  MIXED;

  /**
   * Returns the mode of a batch by where its items came from.
   *
   * @param shared whether chunks of the data set rotate and the batch was not part of a probe
   */
  public static SupplyMode of(int items, int fromStore, int fromCache, boolean shared) {
    if (shared) {
      return SHARED;
    }
    return fromStore == items ? MISS : fromCache == items ? HIT : MIXED;
  }
}
