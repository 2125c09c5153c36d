package io.quiver.benchmarks.demo.run;

import io.quiver.benchmarks.demo.run.RunResult.ResidencyChange;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Summarizes a history of plans: the pinned items and the size of the window. */
final class ResidencySummary {
  private final Optional<ChunkLayout> layout;
  private final Set<Integer> pinned = new HashSet<>();
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
    int count = 0;
    for (ChunkEntry chunk : held) {
      if (chunk.role() == ChunkRole.PINNED) {
        pinned.add(chunk.chunk());
      } else {
        count++;
      }
    }
    rotating = Math.max(rotating, count);
  }

  /** Returns true if an item belonged to a chunk that was kept across epochs. */
  boolean pinned(int item) {
    return layout.isPresent() && pinned.contains(layout.get().chunkOf(item));
  }

  /** Returns which share of the data set rotated through the cache at a time. */
  double windowFraction() {
    return layout.map(each -> (double) rotating / each.chunks()).orElse(0.0);
  }
}
