package io.quiver.core.plan;

import java.util.OptionalLong;
import java.util.Set;

/**
 * What the planner remembers of a chunk it leases, from one plan to the next.
 *
 * @param chunk which one
 * @param generation which stay in the cache
 * @param role why it is here
 * @param state how far it is
 * @param activeAt when it was whole
 * @param leases the jobs that keep it here
 * @param finishedAt when the first of them had read it
 */
record PlannedChunk(
    int chunk,
    long generation,
    ChunkRole role,
    ChunkState state,
    long activeAt,
    Set<ChunkLease> leases,
    OptionalLong finishedAt) {
  PlannedChunk {
    leases = Set.copyOf(leases);
  }

  /** A chunk that is to be brought in. */
  static PlannedChunk loading(int chunk, long generation, ChunkRole role) {
    return new PlannedChunk(
        chunk, generation, role, ChunkState.LOADING, 0, Set.of(), OptionalLong.empty());
  }

  /** A chunk as a plan of another manager has it. */
  static PlannedChunk adopted(ChunkEntry held, long now) {
    return new PlannedChunk(
        held.chunk(),
        held.generation(),
        held.role(),
        held.state(),
        now,
        Set.of(),
        OptionalLong.empty());
  }

  boolean isRotating() {
    return role == ChunkRole.ROTATING;
  }

  boolean isWhole() {
    return state != ChunkState.LOADING;
  }

  PlannedChunk inRole(ChunkRole other) {
    ChunkState next = state == ChunkState.MARKED ? ChunkState.ACTIVE : state;
    return new PlannedChunk(
        chunk, generation, other, next, activeAt, Set.of(), OptionalLong.empty());
  }

  PlannedChunk whole(long now) {
    return new PlannedChunk(chunk, generation, role, ChunkState.ACTIVE, now, leases, finishedAt);
  }

  PlannedChunk marked() {
    return new PlannedChunk(
        chunk, generation, role, ChunkState.MARKED, activeAt, leases, finishedAt);
  }

  PlannedChunk held(Set<ChunkLease> by, OptionalLong firstFinishedAt) {
    return new PlannedChunk(chunk, generation, role, state, activeAt, by, firstFinishedAt);
  }

  boolean looksLike(PlannedChunk other) {
    return chunk == other.chunk
        && generation == other.generation
        && role == other.role
        && state == other.state;
  }

  ChunkEntry shown() {
    return new ChunkEntry(chunk, generation, role, state);
  }
}
