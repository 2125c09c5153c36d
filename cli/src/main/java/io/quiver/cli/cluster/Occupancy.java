package io.quiver.cli.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * The occupancy and the hit counts of a cache.
 *
 * @param capacityBytes what it may hold
 * @param usedBytes what it holds on its disks
 * @param liveBytes the part of it that can be read
 * @param blobs how many blobs can be read
 * @param hits hashes asked for that were there
 * @param misses hashes asked for that were not
 * @param hitBytes bytes of blobs read
 * @param warmReads blobs served from memory
 * @param coldReads blobs served from disk
 * @param corruptBlobs blobs found damaged and dropped
 * @param failures operations the disks refused
 */
public record Occupancy(
    long capacityBytes,
    long usedBytes,
    long liveBytes,
    long blobs,
    long hits,
    long misses,
    long hitBytes,
    long warmReads,
    long coldReads,
    long corruptBlobs,
    long failures) {
  /** Nothing at all. */
  static final Occupancy NONE = new Occupancy(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  static Occupancy of(JsonNode store, Metrics metrics) {
    return new Occupancy(
        store.path("capacity_bytes").asLong(),
        store.path("used_bytes").asLong(),
        store.path("live_bytes").asLong(),
        store.path("blobs").asLong(),
        metrics.value("quiver_hits_total"),
        metrics.value("quiver_misses_total"),
        metrics.value("quiver_hit_bytes_total"),
        store.path("warm_reads").asLong(),
        store.path("cold_reads").asLong(),
        store.path("corrupt_blobs").asLong(),
        store.path("failures").asLong());
  }

  Occupancy plus(Occupancy other) {
    return new Occupancy(
        capacityBytes + other.capacityBytes,
        usedBytes + other.usedBytes,
        liveBytes + other.liveBytes,
        blobs + other.blobs,
        hits + other.hits,
        misses + other.misses,
        hitBytes + other.hitBytes,
        warmReads + other.warmReads,
        coldReads + other.coldReads,
        corruptBlobs + other.corruptBlobs,
        failures + other.failures);
  }

  /** Hits among all hashes asked for, 0 to 1; null before the first. */
  @JsonProperty
  public @Nullable Double hitRatio() {
    return hits + misses == 0 ? null : (double) hits / (hits + misses);
  }
}
