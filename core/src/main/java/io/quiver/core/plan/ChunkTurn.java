package io.quiver.core.plan;

/**
 * One stay of a chunk in the cache.
 *
 * @param chunk which one
 * @param turn which stay
 */
public record ChunkTurn(int chunk, long turn) {}
