package io.quiver.gateway.door;

/**
 * Counters of a door since it was opened.
 *
 * @param memoryBytes bytes answered from the door's own memory
 * @param cacheBytes bytes read from cache servers
 * @param storeBytes bytes read from the store
 * @param storeReads requests for bytes made to the store
 * @param insertedBytes bytes that cache servers took
 */
public record DoorStatistics(
    long memoryBytes, long cacheBytes, long storeBytes, long storeReads, long insertedBytes) {}
