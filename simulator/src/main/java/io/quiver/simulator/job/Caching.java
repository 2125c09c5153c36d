package io.quiver.simulator.job;

import java.util.Locale;

/** What the jobs of a simulation do with the cache. */
public enum Caching {
  /** They follow the manager's plan. */
  PLANNED,
  /** They share a cache of what was used last. */
  LRU,
  /** They read everything from the store. */
  NONE,
  /** They find everything in the cache. */
  ALL;

  /** The name in scenario files. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
