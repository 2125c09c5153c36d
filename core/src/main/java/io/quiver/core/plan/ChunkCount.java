package io.quiver.core.plan;

import io.quiver.core.order.ChunkLayout;
import java.util.List;

/**
 * Into how many chunks a data set is divided. Many small chunks leave more space for pinned ones,
 * because only a few rotate; too small ones hold too few batches to be random in.
 */
final class ChunkCount {
  private ChunkCount() {}

  /** For the jobs that read it, with this budget. */
  static int choose(PlannerConfig config, List<Observed<JobReport>> reports, long budget) {
    int batch = reports.stream().mapToInt(each -> each.report().batch()).max().orElse(1);
    return choose(config, reports.getFirst().report(), batch, budget);
  }

  private static int choose(PlannerConfig config, JobReport job, int batch, long budget) {
    double leastHeld = config.window() + config.leastPinned();
    long byBatches =
        (long) config.window() * job.items() / ((long) config.batchesPerWindow() * batch);
    long wanted = Math.clamp(byBatches, 1, config.maxChunks());
    long byLength = (job.bytes() + config.maxChunkBytes() - 1) / config.maxChunkBytes();
    long byBudget =
        budget <= 0 || budget >= job.bytes()
            ? 1
            : (long) Math.ceil(leastHeld * job.bytes() / budget);
    long needed = Math.max(wanted, Math.max(byLength, byBudget));
    return Math.clamp(needed, 1, Math.min(job.items(), ChunkLayout.MAX_CHUNKS));
  }
}
