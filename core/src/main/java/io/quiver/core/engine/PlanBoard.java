package io.quiver.core.engine;

import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.DatasetPlan;
import org.jspecify.annotations.Nullable;

/** Keeps the latest plan that a job has seen; plans never go back. */
public final class PlanBoard {
  private final DatasetKey dataset;
  private final int items;
  private @Nullable JobPlan plan;

  /** Makes a board without a plan, for a job that reads this data set. */
  public PlanBoard(DatasetKey dataset, int items) {
    this.dataset = dataset;
    this.items = items;
  }

  /** Takes a plan over if it is newer and about this job's data; returns true if it did. */
  public boolean offer(JobPlan offered) {
    if (offered.version() <= version() || !fits(offered)) {
      return false;
    }
    plan = offered;
    return true;
  }

  /** Returns true if a plan is about this job's data. */
  public boolean fits(JobPlan offered) {
    DatasetPlan about = offered.dataset();
    return about == null || (about.dataset().equals(dataset) && about.items() == items);
  }

  /** Returns the whole plan; null before there is one. */
  public @Nullable JobPlan plan() {
    return plan;
  }

  /** Returns what is held of this job's data; null for nothing. */
  public @Nullable DatasetPlan held() {
    JobPlan latest = plan;
    return latest == null ? null : latest.dataset();
  }

  /** Returns the version of the plan; 0 before there is one. */
  public long version() {
    JobPlan latest = plan;
    return latest == null ? 0 : latest.version();
  }

  /**
   * Returns true if a job waits for its first plan rather than read without one.
   *
   * @param reachable whether a manager that can make one answers
   * @param waitedNanos for how long the job has waited
   */
  public boolean awaitsFirst(boolean reachable, long waitedNanos) {
    return plan == null && reachable && waitedNanos < ReadRules.FIRST_PLAN_WAIT.toNanos();
  }
}
