package io.quiver.core.plan.chunk;

/** The states of a planned chunk; after the last of these it is gone. */
public enum ChunkState {
  /** Jobs bring it in. */
  LOADING,
  /** It is whole; jobs read it. */
  ACTIVE,
  /** Another rotating chunk is whole; it goes when nobody leases it any more. */
  MARKED
}
