package io.quiver.core.plan.chunk;

/**
 * A chunk that is in the cache or on its way, as jobs and servers are told.
 *
 * @param chunk which one
 * @param generation tells this stay in the cache from earlier and later ones
 * @param role why it is here
 * @param state how far it is
 */
public record ChunkEntry(int chunk, long generation, ChunkRole role, ChunkState state) {}
