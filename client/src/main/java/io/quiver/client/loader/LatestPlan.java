package io.quiver.client.loader;

import io.quiver.client.link.PlanLink;
import io.quiver.core.engine.PlanBoard;
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

/** Shows the latest plan to every thread of a job, and tells those who watch of a new one. */
final class LatestPlan implements PlanLink.PlanHolder<JobPlan> {
  private static final Logger LOG = LoggerFactory.getLogger(LatestPlan.class);

  private final DatasetKey dataset;
  private final PlanBoard board;
  private final List<Consumer<JobPlan>> watchers = new CopyOnWriteArrayList<>();
  private volatile @Nullable JobPlan plan;

  /** Makes a board without a plan. */
  LatestPlan(DatasetKey dataset, int items) {
    this.dataset = dataset;
    this.board = new PlanBoard(dataset, items);
  }

  /** Calls back after every change, in the thread that brought the plan: to be brief. */
  void watch(Consumer<JobPlan> watcher) {
    watchers.add(watcher);
  }

  void unwatch(Consumer<JobPlan> watcher) {
    watchers.remove(watcher);
  }

  /** Takes a plan over if it is newer and about this job's data. */
  @Override
  public void offer(JobPlan offered) {
    synchronized (board) {
      if (!board.fits(offered)) {
        LOG.warn(
            "plan {} is about another data set than {}; not followed", offered.version(), dataset);
      }
      if (!board.offer(offered)) {
        return;
      }
      plan = offered;
    }
    watchers.forEach(watcher -> watcher.accept(offered));
  }

  /** Returns true if the job still waits for its first plan. */
  @Override
  public boolean awaitsFirst(boolean reachable, long waitedNanos) {
    synchronized (board) {
      return board.awaitsFirst(reachable, waitedNanos);
    }
  }

  /** Returns the whole plan; null before there is one. */
  @Nullable JobPlan plan() {
    return plan;
  }

  /** Returns what is held of this job's data; null for nothing. */
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

  /** Returns the version of the plan; 0 before there is one. */
  @Override
  public long version() {
    JobPlan latest = plan;
    return latest == null ? 0 : latest.version();
  }
}
