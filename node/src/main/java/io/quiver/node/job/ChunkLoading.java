package io.quiver.node.job;

import io.quiver.client.loader.BatchLoader;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.node.NodeException;
import io.quiver.node.job.Warming.WarmProgress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Watches a loader that only warms until everything that is to be pinned is whole. */
final class ChunkLoading {
  private static final long LOOK_EVERY_MILLIS = 50;
  private static final Duration LONGEST_FIRST = Duration.ofSeconds(15);
  private static final Duration LONGEST_STANDSTILL = Duration.ofMinutes(2);

  private final BatchLoader loader;
  private final DatasetDigest digest;
  private final long capacity;
  private final Consumer<WarmProgress> watcher;
  private long movedAt = System.nanoTime();
  private long moved = -1;

  ChunkLoading(BatchLoader loader, long capacity, Consumer<WarmProgress> watcher) {
    this.loader = loader;
    this.digest = loader.config().digest();
    this.capacity = capacity;
    this.watcher = watcher;
  }

  /** Returns the plan under which everything is whole. */
  JobPlan await() throws NodeException, InterruptedException {
    ChunkBytes lengths = new ChunkBytes(digest, dataset(first()).chunks());
    JobPlan plan = latest();
    while (!dataset(plan).pinnedIsWhole()) {
      watcher.accept(lengths.look(dataset(plan), loader.statistics().store().bytes(), capacity));
      requireMovement(plan);
      Thread.sleep(LOOK_EVERY_MILLIS);
      plan = latest();
    }
    return plan;
  }

  private JobPlan first() throws NodeException, InterruptedException {
    long deadline = System.nanoTime() + LONGEST_FIRST.toNanos();
    Optional<JobPlan> plan = withDataset();
    while (plan.isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        throw NodeException.unreachable(
            "the cache manager has made no plan for this data set within "
                + LONGEST_FIRST.toSeconds()
                + " s; see quiver stat, and its log");
      }
      Thread.sleep(LOOK_EVERY_MILLIS);
      plan = withDataset();
    }
    return plan.get();
  }

  private Optional<JobPlan> withDataset() {
    return loader.plan().filter(plan -> plan.dataset() != null && !plan.members().isEmpty());
  }

  private JobPlan latest() throws NodeException {
    return withDataset()
        .orElseThrow(
            () -> NodeException.unreachable("all cache servers are gone; see quiver stat"));
  }

  private static DatasetPlan dataset(JobPlan plan) {
    DatasetPlan dataset = plan.dataset();
    if (dataset == null) {
      throw new IllegalStateException("a plan without the data set");
    }
    return dataset;
  }

  private void requireMovement(JobPlan plan) throws NodeException {
    long now = plan.version() + loader.statistics().store().reads();
    if (now != moved) {
      moved = now;
      movedAt = System.nanoTime();
    } else if (System.nanoTime() - movedAt > LONGEST_STANDSTILL.toNanos()) {
      throw new NodeException(
          "nothing was read from "
              + loader.config().store().uri()
              + " for "
              + LONGEST_STANDSTILL.toSeconds()
              + " s; run with --verbose to see why");
    }
  }
}
