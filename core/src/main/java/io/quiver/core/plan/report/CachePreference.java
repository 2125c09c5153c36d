package io.quiver.core.plan.report;

/** An operator's preference for a data set, whatever the planner would do. */
public enum CachePreference {
  /** Nothing: the planner decides. */
  AUTO,
  /** All of it is to be held, as far as it fits, before any other. */
  PIN,
  /** Nothing of it is to be held. */
  NEVER
}
