package io.quiver.core.plan;

import java.util.Set;

/**
 * Who reads a store, and how often that or its speed has changed: measurements of an earlier
 * generation are to be made again.
 *
 * @param jobs who reads it
 * @param generation grows with every change
 * @param since when it last did, in nanoseconds
 */
record StoreLoad(Set<String> jobs, long generation, long since) {
  StoreLoad {
    jobs = Set.copyOf(jobs);
  }

  StoreLoad changed(Set<String> others, long now) {
    return new StoreLoad(others, generation + 1, now);
  }
}
