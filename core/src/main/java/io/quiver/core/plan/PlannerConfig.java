package io.quiver.core.plan;

import java.time.Duration;

/**
 * The numbers a planner goes by.
 *
 * @param maxChunks most chunks a data set is divided into without need
 * @param batchesPerWindow how many batches the rotating chunks hold at least; fewer cost randomness
 * @param maxChunkBytes longest chunk
 * @param paceTolerance jobs at most this much slower than the fastest set the pace
 * @param paceLeave a job that set the pace does so until it is this much slower
 * @param idleBatches a job that asks for nothing for so many batches' time holds no chunk
 * @param minIdle the shortest such time
 * @param silence the longest time a job is believed to be at work without a report
 * @param minPatience how long a chunk stays at least after the first job has finished it
 * @param patienceShare or this share of the time that job took
 * @param leastNeed a chunk is loaded when at least this share of it is needed
 */
public record PlannerConfig(
    int maxChunks,
    int batchesPerWindow,
    long maxChunkBytes,
    double paceTolerance,
    double paceLeave,
    int idleBatches,
    Duration minIdle,
    Duration silence,
    Duration minPatience,
    double patienceShare,
    double leastNeed) {
  /** What the simulated figures rest on. */
  public static final PlannerConfig DEFAULT =
      new PlannerConfig(
          150,
          10,
          15_000_000_000L,
          1.10,
          1.15,
          10,
          Duration.ofMillis(500),
          Duration.ofSeconds(3),
          Duration.ofSeconds(60),
          0.5,
          0.05);
}
