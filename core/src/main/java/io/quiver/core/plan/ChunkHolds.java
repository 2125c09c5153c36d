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
final class ChunkHolds {
  private final PlannerConfig config;

  ChunkHolds(PlannerConfig config) {
    this.config = config;
  }

  /** The chunk with the holds that follow from what the jobs report. */
  ChunkLife renew(ChunkLife life, DatasetState state, List<Worker> workers, long now) {
    Set<Hold> holds = new HashSet<>();
    Set<String> heldBefore = new HashSet<>();
    life.holds().forEach(hold -> heldBefore.add(hold.job()));
    boolean finished = false;
    for (Worker worker : workers) {
      boolean needs = worker.remaining(state, life.chunk()) > 0;
      Hold hold = worker.hold();
      boolean held = life.holds().contains(hold);
      finished |= heldBefore.contains(worker.job()) && !(held && needs);
      if (needs && worker.mayHold() && (held || life.finishedAt().isEmpty())) {
        holds.add(hold);
      }
    }
    OptionalLong finishedAt =
        finished && life.finishedAt().isEmpty() ? OptionalLong.of(now) : life.finishedAt();
    return life.held(holds, finishedAt);
  }

  /** Whether a chunk that was marked goes now. */
  boolean isFree(ChunkLife life, long now) {
    return life.holds().isEmpty() || isOverdue(life, now);
  }

  private boolean isOverdue(ChunkLife life, long now) {
    if (life.finishedAt().isEmpty()) {
      return false;
    }
    long first = life.finishedAt().getAsLong();
    Duration share = Duration.ofNanos((long) ((first - life.activeAt()) * config.patienceShare()));
    Duration patience =
        Comparator.<Duration>naturalOrder().compare(share, config.minPatience()) > 0
            ? share
            : config.minPatience();
    return now - first > patience.toNanos();
  }
}
