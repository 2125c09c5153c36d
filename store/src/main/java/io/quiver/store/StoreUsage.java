package io.quiver.store;

/**
 * Occupancy and counters of a store.
 *
 * @param capacityBytes the most bytes it may hold, headers and padding included
 * @param reservedBytes the part of the capacity that inserts leave free, for moving blobs
 * @param usedBytes the bytes on its disks, with headers, padding and garbage; never more than the
 *     capacity
 * @param liveBytes the part of it that belongs to blobs that can be read
 * @param blobs the number of blobs that can be read
 * @param activity counters since the start
 */
public record StoreUsage(
    long capacityBytes,
    long reservedBytes,
    long usedBytes,
    long liveBytes,
    long blobs,
    Activity activity) {
  /**
   * Counters of a store since its start.
   *
   * @param warmReads blobs served from memory
   * @param coldReads blobs that had to come from disk
   * @param writtenBytes bytes of records written to disks: those inserted, and those moved to free
   *     the space beside them
   * @param corruptBlobs blobs found damaged and dropped
   * @param failures operations a disk refused
   */
  public record Activity(
      long warmReads, long coldReads, long writtenBytes, long corruptBlobs, long failures) {}
}
