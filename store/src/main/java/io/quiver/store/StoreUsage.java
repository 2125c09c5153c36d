package io.quiver.store;

/**
 * Occupancy and counters of a store.
 *
 * @param capacityBytes the most bytes it may hold, headers and padding included
 * @param usedBytes the bytes on its disks, with headers, padding and garbage; never more than the
 *     capacity
 * @param liveBytes the part of it that belongs to blobs that can be read
 * @param blobs the number of blobs that can be read
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
