package io.quiver.core.plan;

import io.quiver.core.plan.allocate.ShiftRules;
import io.quiver.core.plan.chunk.ChunkRules;
import java.time.Duration;

/**
 * The numbers a planner goes by.
 *
 * @param kind who decides
 * @param chunks how data sets are divided and how chunks rotate
 * @param leaders which jobs lead the ring
 * @param shifts how bytes move under the kind {@code igt}
 */
public record PlannerConfig(
    PlannerKind kind, ChunkRules chunks, LeaderRules leaders, ShiftRules shifts) {
  /** The numbers that the simulated figures rest on. */
  public static final PlannerConfig DEFAULT =
      new PlannerConfig(
          PlannerKind.MARGINAL, ChunkRules.DEFAULT, LeaderRules.DEFAULT, ShiftRules.PAPER);

  /** The paper's chunks with this project's allocation. */
  public static final PlannerConfig PAPER = DEFAULT.withChunks(ChunkRules.PAPER);

  /**
   * Says which jobs lead the ring.
   *
   * @param tolerance jobs at most this much slower than the fastest lead
   * @param leave a job that led does so until it is this much slower
   * @param idleBatches a job that asks for nothing for so many batches' time holds no chunk
   * @param minIdle the shortest such time
   * @param silence the longest time a job is believed to be at work without a report
   */
  public record LeaderRules(
      double tolerance, double leave, int idleBatches, Duration minIdle, Duration silence) {
    static final LeaderRules DEFAULT =
        new LeaderRules(1.10, 1.15, 10, Duration.ofMillis(500), Duration.ofSeconds(3));
  }

  /** Returns the usual numbers of a kind. */
  public static PlannerConfig of(PlannerKind kind) {
    return (kind == PlannerKind.GREEDY3 ? PAPER : DEFAULT).withKind(kind);
  }

  /** Returns a copy that divides data sets by other rules. */
  public PlannerConfig withChunks(ChunkRules others) {
    return new PlannerConfig(kind, others, leaders, shifts);
  }

  /** Returns a copy of another kind. */
  public PlannerConfig withKind(PlannerKind other) {
    return new PlannerConfig(other, chunks, leaders, shifts);
  }

  /** Returns a copy in which bytes move by other rules under the kind {@code igt}. */
  public PlannerConfig withShifts(ShiftRules others) {
    return new PlannerConfig(kind, chunks, leaders, others);
  }
}
