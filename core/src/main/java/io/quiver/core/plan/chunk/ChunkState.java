package io.quiver.core.plan.chunk;

/** Where a chunk is in its planned in the cache; after the last of these it is gone. */
public enum ChunkState {
  /** Jobs bring it in. */
  LOADING,
  /** It is whole; jobs read it. */
  ACTIVE,
  /** Another rotating chunk is whole; it goes when nobody holds it any more. */
  MARKED
}
