package io.quiver.core.plan.chunk;

/** The reason why a chunk is in the cache. */
public enum ChunkRole {
  /** It stays across epochs. */
  PINNED,
  /** It gives way to another when the jobs that set the pace have read it. */
  ROTATING
}
