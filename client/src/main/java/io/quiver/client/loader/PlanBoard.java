package io.quiver.client.loader;

import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.space.SpaceId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The latest plan this job has seen, for everybody in it to read; plans never go back. */
final class PlanBoard {
  private static final Logger LOG = LoggerFactory.getLogger(PlanBoard.class);

  private final DatasetKey dataset;
  private final int items;
  private final List<Consumer<JobPlan>> watchers = new CopyOnWriteArrayList<>();
  private volatile @Nullable JobPlan plan;

  /** Makes a board without a plan. */
  PlanBoard(DatasetKey dataset, int items) {
    this.dataset = dataset;
    this.items = items;
  }

  /** Calls back after every change, in the thread that brought the plan: to be brief. */
  void watch(Consumer<JobPlan> watcher) {
    watchers.add(watcher);
  }

  void unwatch(Consumer<JobPlan> watcher) {
    watchers.remove(watcher);
  }

  /** Takes a plan over if it is newer and about this job's data. */
  void offer(JobPlan offered) {
    synchronized (this) {
      if (offered.version() <= version() || !fits(offered)) {
        return;
      }
      plan = offered;
    }
    watchers.forEach(watcher -> watcher.accept(offered));
  }

  private boolean fits(JobPlan offered) {
    DatasetPlan about = offered.dataset();
    boolean fits = about == null || (about.dataset().equals(dataset) && about.items() == items);
    if (!fits) {
      LOG.warn(
          "plan {} is about another data set than {}; not followed", offered.version(), dataset);
    }
    return fits;
  }

  /** The whole plan; null before there is one. */
  @Nullable JobPlan plan() {
    return plan;
  }

  /** What is held of this job's data; null for nothing. */
  @Nullable DatasetPlan held() {
    JobPlan latest = plan;
    return latest == null ? null : latest.dataset();
  }

  /**
   * Returns the space that takes whatever the job misses; null where chunks are held, or nothing.
   */
  @Nullable SpaceId shared() {
    JobPlan latest = plan;
    return latest == null ? null : latest.shared();
  }

  /** Which plan; 0 before there is one. */
  long version() {
    JobPlan latest = plan;
    return latest == null ? 0 : latest.version();
  }
}
