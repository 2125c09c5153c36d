package io.quiver.core.plan.chunk;

import io.quiver.core.bound.Bounds;
import io.quiver.core.order.ChunkLayout;

/**
 * A chunk that is in the cache or on its way, as jobs and servers are told.
 *
 * @param chunk which one
 * @param generation tells this stay in the cache from earlier and later ones
 * @param role why it is here
 * @param state how far it is
 */
public record ChunkEntry(int chunk, long generation, ChunkRole role, ChunkState state) {
  /** Refuses what cannot be. */
  public ChunkEntry {
    Bounds.whole("chunk", chunk, 0, ChunkLayout.MAX_CHUNKS - 1);
    Bounds.whole("generation", generation, 0, Bounds.MAX_COUNT);
    Bounds.present("role", role);
    Bounds.present("state", state);
  }
}
