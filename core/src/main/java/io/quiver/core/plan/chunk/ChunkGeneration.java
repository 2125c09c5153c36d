package io.quiver.core.plan.chunk;

/**
 * One stay of a chunk in the cache.
 *
 * @param chunk which one
 * @param generation which stay
 */
public record ChunkGeneration(int chunk, long generation) {}
