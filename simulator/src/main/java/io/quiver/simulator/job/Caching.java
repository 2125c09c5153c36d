package io.quiver.simulator.job;

import java.util.Locale;

/** The ways in which the jobs of a simulation use the cache. */
public enum Caching {
  /** They follow the manager's plan. */
  PLANNED,
  /** They share a cache of what was used last. */
  LRU,
  /** They read everything from the store. */
  NONE,
  /** They find everything in the cache. */
  ALL;

  /** Returns the name in scenario files. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
