package io.quiver.core.plan;

import java.time.Duration;

/**
 * The numbers a planner goes by.
 *
 * @param kind who decides
 * @param window how many chunks rotate: with three, one is read, one is whole before the first is
 *     used up and one is on its way; with two, every chunk's load waits until the last job has read
 *     the one before
 * @param leastPinned how many chunks are to fit beside those that rotate
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
    PlannerKind kind,
    int window,
    int leastPinned,
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
          PlannerKind.MARGINAL,
          3,
          1,
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

  /**
   * The paper's chunks: a tenth of the data set or 15 GB, whichever is less, of which two rotate
   * and none need be pinned.
   */
  public static final PlannerConfig PAPER = DEFAULT.withWindow(2, 0).withMaxChunks(10);

  /** The usual numbers of each kind. */
  public static PlannerConfig of(PlannerKind kind) {
    return (kind == PlannerKind.GREEDY3 ? PAPER : DEFAULT).withKind(kind);
  }

  /** Refuses what no plan can be made with. */
  public PlannerConfig {
    if (window < 2 || leastPinned < 0 || maxChunks < 1 || maxChunkBytes < 1) {
      throw new IllegalArgumentException(
          "%d rotating and %d pinned of at most %d chunks of at most %d bytes; two must rotate"
              .formatted(window, leastPinned, maxChunks, maxChunkBytes));
    }
  }

  /** The same with another number of chunks that rotate, and of those to fit beside them. */
  public PlannerConfig withWindow(int rotating, int pinned) {
    return new PlannerConfig(
        kind,
        rotating,
        pinned,
        maxChunks,
        batchesPerWindow,
        maxChunkBytes,
        paceTolerance,
        paceLeave,
        idleBatches,
        minIdle,
        silence,
        minPatience,
        patienceShare,
        leastNeed);
  }

  /** The same with another bound for the number of chunks. */
  public PlannerConfig withMaxChunks(int most) {
    return new PlannerConfig(
        kind,
        window,
        leastPinned,
        most,
        batchesPerWindow,
        maxChunkBytes,
        paceTolerance,
        paceLeave,
        idleBatches,
        minIdle,
        silence,
        minPatience,
        patienceShare,
        leastNeed);
  }

  /** The same with another one to decide. */
  public PlannerConfig withKind(PlannerKind other) {
    return new PlannerConfig(
        other,
        window,
        leastPinned,
        maxChunks,
        batchesPerWindow,
        maxChunkBytes,
        paceTolerance,
        paceLeave,
        idleBatches,
        minIdle,
        silence,
        minPatience,
        patienceShare,
        leastNeed);
  }
}
