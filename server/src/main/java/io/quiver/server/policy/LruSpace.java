package io.quiver.server.policy;

import io.quiver.core.space.SpaceId;

/**
 * A space that gives up its least recently used blobs when it is full.
 *
 * @param space its name
 * @param quotaBytes what its blobs may be long together
 * @param maxBlobs how many it may have, which bounds the memory of the bookkeeping
 */
public record LruSpace(SpaceId space, long quotaBytes, int maxBlobs) {
  /** About two hundred megabytes of bookkeeping at most. */
  public static final int DEFAULT_MAX_BLOBS = 1_000_000;

  /** Checks the numbers. */
  public LruSpace {
    if (quotaBytes < 1 || maxBlobs < 1) {
      throw new IllegalArgumentException(
          "space "
              + space
              + " with room for "
              + quotaBytes
              + " bytes in "
              + maxBlobs
              + " blobs; both must be positive");
    }
  }

  /** A space of this size with the usual bound on blobs. */
  public static LruSpace of(SpaceId space, long quotaBytes) {
    return new LruSpace(space, quotaBytes, DEFAULT_MAX_BLOBS);
  }
}
