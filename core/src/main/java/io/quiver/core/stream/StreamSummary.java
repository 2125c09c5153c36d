package io.quiver.core.stream;

import org.jspecify.annotations.Nullable;

/**
 * One door's view of one stream that may own a quota, as its heartbeat carries it. Durations, never
 * times of day: clocks jump.
 *
 * @param key the stream's hashed name, the same at all doors
 * @param label its path, for its owner and for operators only
 * @param recognition what the door recognised, after two windows agreed
 * @param windows how many windows the door has analysed
 * @param items how many items it has, or how many were seen; of the lowest level, blocks or files
 * @param bytes how long all its items are together, as far as can be told
 * @param readers how many readers it has lately
 * @param readsPerSecond how many blocks its programs read in a second
 * @param storeShare the share of those reads that waited for the store
 * @param cacheSeconds the time of a read that the cache or the door's memory answers; 0 if unknown
 * @param storeSeconds the time of a read that the store answers; 0 if unknown
 * @param idleSeconds the time since its last read
 * @param leaseSeconds the time without reads after which its programs have probably ended
 * @param quietSeconds the same without the base that guards against short pauses
 * @param followBytes the bytes between two readers of which one follows the other closely; 0 if none
 *     does
 * @param advised how many blocks were advised to be read ahead
 * @param used how many of these a program has read since
 * @param window its latest reads, if they were not reported before
 */
public record StreamSummary(
    String key,
    String label,
    Recognition recognition,
    long windows,
    long items,
    long bytes,
    int readers,
    double readsPerSecond,
    double storeShare,
    double cacheSeconds,
    double storeSeconds,
    double idleSeconds,
    double leaseSeconds,
    double quietSeconds,
    long followBytes,
    long advised,
    long used,
    @Nullable StreamWindow window) {}
