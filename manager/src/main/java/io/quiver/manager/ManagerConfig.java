package io.quiver.manager;

import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.report.CachePreferences;
import java.time.Duration;

/**
 * Settings of a manager.
 *
 * @param planner the planner's numbers
 * @param budgetBytes most bytes plans may fill, whatever the servers offer
 * @param jobLease how long a job counts as running without a report
 * @param serverLease how long a server counts as running without a report
 * @param grace how long a new manager listens before it changes a plan it found in use
 * @param preferences what people wanted when it was started
 * @param tick how often it plans without being told anything
 */
public record ManagerConfig(
    PlannerConfig planner,
    long budgetBytes,
    Duration jobLease,
    Duration serverLease,
    Duration grace,
    CachePreferences preferences,
    Duration tick) {
  /** The usual numbers. */
  public static final ManagerConfig DEFAULT =
      new ManagerConfig(
          PlannerConfig.DEFAULT,
          Long.MAX_VALUE,
          Duration.ofSeconds(30),
          Duration.ofSeconds(5),
          Duration.ofMillis(2500),
          CachePreferences.NONE,
          Duration.ofMillis(250));

  /** Returns a copy with another bound for what plans may fill. */
  public ManagerConfig withBudget(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a budget of " + bytes + " bytes");
    }
    return new ManagerConfig(planner, bytes, jobLease, serverLease, grace, preferences, tick);
  }

  /** Returns a copy with another planner. */
  public ManagerConfig withPlanner(PlannerConfig other) {
    return new ManagerConfig(other, budgetBytes, jobLease, serverLease, grace, preferences, tick);
  }

  /** Returns a copy with other preferences to begin with. */
  public ManagerConfig withPreferences(CachePreferences others) {
    return new ManagerConfig(planner, budgetBytes, jobLease, serverLease, grace, others, tick);
  }
}
