package io.quiver.core.plan;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Who keeps a rotating chunk in the cache. Only jobs that set the pace do, so that a slow one does
 * not stop the rotation; and a job that begins an epoch does not hold what another has finished, or
 * the chunk would never go.
 */
final class ChunkLeases {
  private final PlannerConfig config;

  ChunkLeases(PlannerConfig config) {
    this.config = config;
  }

  /** The chunk with the leases that follow from what the jobs report. */
  PlannedChunk renew(PlannedChunk planned, DatasetState state, List<Worker> workers, long now) {
    Set<ChunkLease> leases = new HashSet<>();
    Set<String> heldBefore = new HashSet<>();
    planned.leases().forEach(lease -> heldBefore.add(lease.job()));
    boolean finished = false;
    for (Worker worker : workers) {
      boolean needs = worker.remaining(state, planned.chunk()) > 0;
      ChunkLease lease = worker.lease();
      boolean held = planned.leases().contains(lease);
      finished |= heldBefore.contains(worker.job()) && !(held && needs);
      if (needs && worker.mayLease() && (held || planned.finishedAt().isEmpty())) {
        leases.add(lease);
      }
    }
    OptionalLong finishedAt =
        finished && planned.finishedAt().isEmpty() ? OptionalLong.of(now) : planned.finishedAt();
    return planned.held(leases, finishedAt);
  }

  /** Whether a chunk that was marked goes now. */
  boolean isFree(PlannedChunk planned, long now) {
    return planned.leases().isEmpty() || isOverdue(planned, now);
  }

  private boolean isOverdue(PlannedChunk planned, long now) {
    if (planned.finishedAt().isEmpty()) {
      return false;
    }
    long first = planned.finishedAt().getAsLong();
    Duration share =
        Duration.ofNanos((long) ((first - planned.activeAt()) * config.patienceShare()));
    Duration patience =
        Comparator.<Duration>naturalOrder().compare(share, config.minPatience()) > 0
            ? share
            : config.minPatience();
    return now - first > patience.toNanos();
  }
}
