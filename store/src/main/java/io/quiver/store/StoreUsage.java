package io.quiver.store;

/**
 * Occupancy and counters of a store.
 *
 * @param capacityBytes the most bytes it may hold, headers and padding included
 * @param reservedBytes the part of the capacity that inserts leave free, for moving blobs
 * @param usedBytes the bytes on its disks, with headers, padding and garbage; never more than the
 *     capacity
 * @param liveBytes the part of it that belongs to blobs and names that can be read
 * @param blobs the number of blobs that can be read
 * @param names the number of names that are bound
 * @param activity counters since the start
 */
public record StoreUsage(
    long capacityBytes,
    long reservedBytes,
    long usedBytes,
    long liveBytes,
    long blobs,
    long names,
    Activity activity) {
  /**
   * Counters of a store since its start.
   *
   * @param warmReads blobs and names served from memory
   * @param coldReads blobs and names that had to come from disk
   * @param writtenBytes bytes of records written to disks: those inserted, and those moved to free
   *     the space beside them
   * @param corruptBlobs blobs and names found damaged and dropped
   * @param failures operations a disk refused
   */
  public record Activity(
      long warmReads, long coldReads, long writtenBytes, long corruptBlobs, long failures) {}
}
