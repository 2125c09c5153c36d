package io.quiver.core.plan;

/** Says whether a job uses the cache. */
public enum Caching {
  /** The job follows the manager's plans. */
  PLANNED,
  /** The job reads everything from the store. */
  NONE
}
