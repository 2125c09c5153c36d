package io.quiver.gateway.door.stream;

/**
 * Counts of the recognition of streams in a door.
 *
 * @param records reads that were learned from
 * @param dropped reads and listings that found the queue full
 * @param failures records and advices that could not be followed because of a defect
 * @param nodes nodes of the tree of streams
 * @param treeBytes bytes of the tree
 * @param listingBytes bytes of the listings it knows
 * @param prefetch what became of advice to read ahead
 */
public record StreamCounts(
    long records,
    long dropped,
    long failures,
    int nodes,
    long treeBytes,
    long listingBytes,
    Prefetch prefetch) {
  /** Nothing counted. */
  public static final StreamCounts NONE =
      new StreamCounts(0, 0, 0, 0, 0, 0, new Prefetch(0, 0, 0, 0, 0, 0));

  /**
   * Counts of advice to read ahead.
   *
   * @param begun blocks whose read was begun for a reader
   * @param used blocks of these that a program has read since
   * @param filled blocks whose read was begun in order to fill the cache
   * @param held blocks that were at hand already
   * @param failed blocks that the store does not have, or that could not be read
   * @param dropped blocks for which there was no memory or no idle store
   */
  public record Prefetch(
      long begun, long used, long filled, long held, long failed, long dropped) {}
}
