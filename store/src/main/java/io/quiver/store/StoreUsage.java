package io.quiver.store;

/**
 * Occupancy and counters of a store.
 *
 * @param capacityBytes what it may hold, headers and padding included
 * @param usedBytes what it holds now on its disks, headers, padding and not yet reclaimed room
 *     included; never more than the capacity
 * @param liveBytes the part of it that belongs to blobs that can be read
 * @param blobs how many blobs can be read
 * @param warmReads blobs served from memory since the start
 * @param coldReads blobs that had to come from disk since the start
 * @param corruptBlobs blobs found damaged and dropped since the start
 * @param failures operations a disk refused since the start
 */
public record StoreUsage(
    long capacityBytes,
    long usedBytes,
    long liveBytes,
    long blobs,
    long warmReads,
    long coldReads,
    long corruptBlobs,
    long failures) {}
