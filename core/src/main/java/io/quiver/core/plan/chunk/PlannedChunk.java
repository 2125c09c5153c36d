package io.quiver.core.plan.chunk;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A chunk in the cache as the planner remembers it from one plan to the next.
 *
 * <p>Jobs keep a rotating chunk in the cache by leases. Only jobs that lead the ring have leases,
 * so that a slow one does not stop the rotation; and a job that begins an epoch does not lease what
 * another has finished, or the chunk would never go.
 *
 * @param chunk which one
 * @param generation which stay in the cache
 * @param role why it is here
 * @param state how far it is
 * @param activeAt when it was whole
 * @param leases the jobs that keep it here
 * @param finishedAt when the first of them had read it
 */
public record PlannedChunk(
    int chunk,
    long generation,
    ChunkRole role,
    ChunkState state,
    long activeAt,
    Set<Lease> leases,
    OptionalLong finishedAt) {
  /**
   * A job's claim on a rotating chunk in one of its epochs: while it lasts the chunk stays.
   *
   * @param job which job
   * @param epoch in which of its epochs
   */
  public record Lease(String job, int epoch) {}

  /** Keeps its own copy. */
  public PlannedChunk {
    leases = Set.copyOf(leases);
  }

  /** Returns a chunk that is to be brought in. */
  public static PlannedChunk loading(int chunk, long generation, ChunkRole role) {
    return new PlannedChunk(
        chunk, generation, role, ChunkState.LOADING, 0, Set.of(), OptionalLong.empty());
  }

  /** Returns a chunk as a plan of another manager has it. */
  public static PlannedChunk adopted(ChunkEntry entry, long now) {
    return new PlannedChunk(
        entry.chunk(),
        entry.generation(),
        entry.role(),
        entry.state(),
        now,
        Set.of(),
        OptionalLong.empty());
  }

  /** Returns true if it comes and goes. */
  public boolean isRotating() {
    return role == ChunkRole.ROTATING;
  }

  /** Returns true if a job has found all of it in the cache. */
  public boolean isWhole() {
    return state != ChunkState.LOADING;
  }

  PlannedChunk inRole(ChunkRole other) {
    ChunkState next = state == ChunkState.MARKED ? ChunkState.ACTIVE : state;
    return new PlannedChunk(
        chunk, generation, other, next, activeAt, Set.of(), OptionalLong.empty());
  }

  /** Returns a copy that is whole from now on. */
  public PlannedChunk whole(long now) {
    return new PlannedChunk(chunk, generation, role, ChunkState.ACTIVE, now, leases, finishedAt);
  }

  PlannedChunk marked() {
    return new PlannedChunk(
        chunk, generation, role, ChunkState.MARKED, activeAt, leases, finishedAt);
  }

  /** Returns a copy with the leases that follow from what its readers report. */
  PlannedChunk renewed(DatasetState dataset, List<RingReader> readers, long now) {
    Set<Lease> renewed = new HashSet<>();
    Set<String> leaseholders = new HashSet<>();
    leases.forEach(lease -> leaseholders.add(lease.job()));
    boolean finished = false;
    for (RingReader reader : readers) {
      boolean needs = reader.remaining(dataset).of(chunk) > 0;
      Lease lease = reader.lease();
      boolean leased = leases.contains(lease);
      finished |= leaseholders.contains(reader.job()) && !(leased && needs);
      if (needs && reader.mayLease() && (leased || finishedAt.isEmpty())) {
        renewed.add(lease);
      }
    }
    OptionalLong first = finished && finishedAt.isEmpty() ? OptionalLong.of(now) : finishedAt;
    return new PlannedChunk(chunk, generation, role, state, activeAt, renewed, first);
  }

  /** Returns true if nobody leases it, or those who do have had their time. */
  boolean isFree(ChunkRules rules, long now) {
    if (leases.isEmpty() || finishedAt.isEmpty()) {
      return leases.isEmpty();
    }
    long first = finishedAt.getAsLong();
    Duration share = Duration.ofNanos((long) ((first - activeAt) * rules.patienceShare()));
    Duration patience = share.compareTo(rules.minPatience()) > 0 ? share : rules.minPatience();
    return now - first > patience.toNanos();
  }

  boolean showsSame(PlannedChunk other) {
    return chunk == other.chunk
        && generation == other.generation
        && role == other.role
        && state == other.state;
  }

  ChunkEntry shown() {
    return new ChunkEntry(chunk, generation, role, state);
  }
}
