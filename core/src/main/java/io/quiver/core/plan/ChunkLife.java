package io.quiver.core.plan;

import java.util.OptionalLong;
import java.util.Set;

/**
 * What the planner remembers of a chunk it holds, from one plan to the next.
 *
 * @param chunk which one
 * @param turn which stay in the cache
 * @param role why it is here
 * @param state how far it is
 * @param activeAt when it was whole
 * @param holds the jobs that keep it here
 * @param finishedAt when the first of them had read it
 */
record ChunkLife(
    int chunk,
    long turn,
    ChunkRole role,
    ChunkState state,
    long activeAt,
    Set<Hold> holds,
    OptionalLong finishedAt) {
  ChunkLife {
    holds = Set.copyOf(holds);
  }

  /** A chunk that is to be brought in. */
  static ChunkLife loading(int chunk, long turn, ChunkRole role) {
    return new ChunkLife(chunk, turn, role, ChunkState.LOADING, 0, Set.of(), OptionalLong.empty());
  }

  /** A chunk as a plan of another manager has it. */
  static ChunkLife adopted(HeldChunk held, long now) {
    return new ChunkLife(
        held.chunk(), held.turn(), held.role(), held.state(), now, Set.of(), OptionalLong.empty());
  }

  boolean isRotating() {
    return role == ChunkRole.ROTATING;
  }

  boolean isWhole() {
    return state != ChunkState.LOADING;
  }

  ChunkLife inRole(ChunkRole other) {
    ChunkState next = state == ChunkState.MARKED ? ChunkState.ACTIVE : state;
    return new ChunkLife(chunk, turn, other, next, activeAt, Set.of(), OptionalLong.empty());
  }

  ChunkLife whole(long now) {
    return new ChunkLife(chunk, turn, role, ChunkState.ACTIVE, now, holds, finishedAt);
  }

  ChunkLife marked() {
    return new ChunkLife(chunk, turn, role, ChunkState.MARKED, activeAt, holds, finishedAt);
  }

  ChunkLife held(Set<Hold> by, OptionalLong firstFinishedAt) {
    return new ChunkLife(chunk, turn, role, state, activeAt, by, firstFinishedAt);
  }

  boolean looksLike(ChunkLife other) {
    return chunk == other.chunk && turn == other.turn && role == other.role && state == other.state;
  }

  HeldChunk shown() {
    return new HeldChunk(chunk, turn, role, state);
  }
}
