package io.quiver.benchmarks.demo.run;

import java.util.List;

/**
 * A look at a run.
 *
 * @param seconds when, since the run began
 * @param storeBytes bytes all jobs together had read from the store
 * @param storeReads items they had read from it
 * @param jobItems items each job had been given
 */
public record Moment(double seconds, long storeBytes, long storeReads, List<Long> jobItems) {
  /** Keeps its own copy. */
  public Moment {
    jobItems = List.copyOf(jobItems);
  }

  /** Items all jobs had been given. */
  public long items() {
    return jobItems.stream().mapToLong(Long::longValue).sum();
  }
}
