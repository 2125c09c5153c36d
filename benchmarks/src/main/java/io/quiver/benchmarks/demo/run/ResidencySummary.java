package io.quiver.benchmarks.demo.run;

import io.quiver.benchmarks.demo.run.RunResult.ResidencyChange;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Summarizes a history of plans: the pinned items and the size of the window. Chunks that were
 * pinned at the moment when most were count as pinned. Others that were pinned at some time,
 * because roles change when jobs come and go, were loaded for the ring.
 */
final class ResidencySummary {
  private final Optional<ChunkLayout> layout;
  private Set<Integer> pinned = Set.of();
  private int rotating;

  ResidencySummary(int items, List<ResidencyChange> changes) {
    layout =
        changes.isEmpty()
            ? Optional.empty()
            : Optional.of(new ChunkLayout(items, changes.getLast().chunks()));
    for (ResidencyChange change : changes) {
      if (change.chunks() == changes.getLast().chunks()) {
        add(change.held());
      }
    }
  }

  private void add(List<ChunkEntry> held) {
    Set<Integer> kept = new HashSet<>();
    for (ChunkEntry chunk : held) {
      if (chunk.role() == ChunkRole.PINNED) {
        kept.add(chunk.chunk());
      }
    }
    pinned = kept.size() > pinned.size() ? kept : pinned;
    rotating = Math.max(rotating, held.size() - kept.size());
  }

  /** Returns true if an item belongs to a chunk that counts as pinned. */
  boolean pinned(int item) {
    return layout.isPresent() && pinned.contains(layout.get().chunkOf(item));
  }

  /** Returns which share of the data set rotated through the cache at a time. */
  double windowFraction() {
    return layout.map(each -> (double) rotating / each.chunks()).orElse(0.0);
  }
}
