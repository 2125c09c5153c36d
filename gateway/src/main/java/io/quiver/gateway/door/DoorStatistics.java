package io.quiver.gateway.door;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.quiver.gateway.door.stream.StreamCounts;

/**
 * Counters of a door since it was opened.
 *
 * @param memoryBytes bytes answered from the door's own memory
 * @param cacheBytes bytes read from cache servers
 * @param storeBytes bytes read from the store
 * @param storeReads requests for bytes made to the store
 * @param insertedBytes bytes that cache servers took
 * @param blocks what became of blocks
 * @param metadata questions for details and listings
 * @param heldBytes memory that blocks take now
 * @param streams recognition of streams
 */
public record DoorStatistics(
    long memoryBytes,
    long cacheBytes,
    long storeBytes,
    long storeReads,
    long insertedBytes,
    Blocks blocks,
    Metadata metadata,
    long heldBytes,
    StreamCounts streams) {
  private static final ObjectMapper JSON =
      new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

  /**
   * Counts of blocks.
   *
   * @param memoryHits reads of a block that was in memory or on its way
   * @param cacheHits blocks, and parts of blocks, that cache servers had
   * @param inserted blocks that cache servers took
   * @param notInserted blocks read from the store that did not get into the cache
   * @param sharedWaits blocks that another door was reading
   * @param ahead blocks read ahead
   * @param aheadUnused blocks read ahead and dropped before anybody read them
   * @param aheadUnusedBytes bytes of these
   * @param unbuffered reads that found no memory and went around it
   * @param storeFailures reads from the store that failed
   * @param firstBytes blocks whose bytes came from the store
   * @param firstByteNanos the time to the first byte, of all of these together
   */
  public record Blocks(
      long memoryHits,
      long cacheHits,
      long inserted,
      long notInserted,
      long sharedWaits,
      long ahead,
      long aheadUnused,
      long aheadUnusedBytes,
      long unbuffered,
      long storeFailures,
      long firstBytes,
      long firstByteNanos) {
    /** Nothing counted. */
    public static final Blocks NONE = new Blocks(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /**
   * Counts of questions for details and listings.
   *
   * @param remembered answered from memory
   * @param asked answered by the store
   * @param bytes memory that the answers take now, as estimated
   */
  public record Metadata(long remembered, long asked, long bytes) {
    /** Nothing counted. */
    public static final Metadata NONE = new Metadata(0, 0, 0);
  }

  /** Returns the counters as one JSON object, with the names of their components. */
  public String json() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("counters that are no document", e);
    }
  }

  /** Makes counters of bytes only. */
  public DoorStatistics(
      long memoryBytes, long cacheBytes, long storeBytes, long storeReads, long insertedBytes) {
    this(
        memoryBytes,
        cacheBytes,
        storeBytes,
        storeReads,
        insertedBytes,
        Blocks.NONE,
        Metadata.NONE,
        0,
        StreamCounts.NONE);
  }
}
