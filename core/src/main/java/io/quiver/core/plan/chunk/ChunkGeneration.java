package io.quiver.core.plan.chunk;

import io.quiver.core.bound.Bounds;
import io.quiver.core.order.ChunkLayout;

/**
 * One stay of a chunk in the cache.
 *
 * @param chunk which one
 * @param generation which stay
 */
public record ChunkGeneration(int chunk, long generation) {
  /** Refuses what cannot be. */
  public ChunkGeneration {
    Bounds.whole("chunk", chunk, 0, ChunkLayout.MAX_CHUNKS - 1);
    Bounds.whole("generation", generation, 0, Bounds.MAX_COUNT);
  }

  /** Spreads numbers that grow together: neighbours would share buckets otherwise. */
  @Override
  public int hashCode() {
    return Long.hashCode((generation * 31 + chunk) * 0x9E3779B97F4A7C15L);
  }
}
