package io.quiver.simulator.experiment;

import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.chunk.ChunkRules;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.result.SimulationResult.ChunkResidency;
import io.quiver.simulator.result.SimulationResult.TimelineSample;
import io.quiver.simulator.scenario.Scenario;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Quiver's Figure 7 (FAST '20, §7.5): four jobs of ResNet50 share a cache for a fifth of ImageNet,
 * in which two chunks rotate and none is pinned; three more join after fifteen minutes. It shows
 * how many chunks are resident, with which chunks late jobs begin, and the progress of all jobs and
 * of each, before and after the three join. A job gains where the store limits four jobs but not
 * seven, because all jobs share the reads.
 */
public final class Figure7 {
  /** When the late jobs join. */
  public static final double JOIN_SECONDS = 900;

  private static final double END_SECONDS = 1800;
  private static final double BIN_SECONDS = 10;
  private static final double SPAN_SECONDS = 300;
  private static final int EARLY_JOBS = 4;
  private static final int LATE_JOBS = 3;
  private static final double CACHE_SHARE = 0.2;
  private static final int CHUNKS = 10;

  private Figure7() {}

  /**
   * The first batches of a job that joined late.
   *
   * @param job its name
   * @param seconds when
   * @param firstChunks the chunks its first ten mini-batches came from
   * @param resident the chunks that were in the cache or on their way then
   */
  public record LateStart(
      String job, double seconds, List<Integer> firstChunks, List<Integer> resident) {}

  /**
   * The content of the figure.
   *
   * @param timeline how far all jobs were
   * @param storeBandwidthFactor how many times as fast as the paper's the store is
   * @param chunks into how many chunks the plan divides the data set
   * @param residencies which chunks were in the cache when
   * @param mostRotating the most rotating chunks that were there at the same time
   * @param batchesPerSecondBefore progress of all jobs in the five minutes before the late ones
   *     join
   * @param batchesPerSecondAfter and in the last five minutes
   * @param earlyJobBefore mini-batches a second of one of the early jobs before
   * @param earlyJobAfter and after
   * @param progress mini-batches a second of all jobs
   * @param lateStarts where the late jobs began
   */
  public record Outcome(
      double storeBandwidthFactor,
      int chunks,
      List<TimelineSample> timeline,
      List<ChunkResidency> residencies,
      int mostRotating,
      double batchesPerSecondBefore,
      double batchesPerSecondAfter,
      double earlyJobBefore,
      double earlyJobAfter,
      List<ProgressMeter.Sample> progress,
      List<LateStart> lateStarts) {}

  private static Scenario scenario(long seed, double storeFactor, double length) {
    Workload workload = Workload.RESNET.shortened(length);
    return new SharedCluster("Figure 7", MultiJob.BATCH_ITEMS)
        .cache(CACHE_SHARE * workload.datasetBytes())
        .planner(PlannerConfig.PAPER.withChunks(ChunkRules.PAPER.withMaxChunks(CHUNKS)))
        .storeFactor(storeFactor)
        .untilSeconds(length * END_SECONDS)
        .jobs(workload, EARLY_JOBS, Long.MAX_VALUE, 0, SamplerKind.SUBSTITUTE)
        .jobs(workload, LATE_JOBS, Long.MAX_VALUE, length * JOIN_SECONDS, SamplerKind.SUBSTITUTE)
        .build(seed);
  }

  /**
   * Runs it.
   *
   * @param storeFactor how many times as fast as the paper's the store is; 1 for the paper's
   */
  public static Outcome run(long seed, double storeFactor, Runs.Listener progress) {
    return run(seed, storeFactor, 1, progress);
  }

  /**
   * Runs it on a share of the data set, for the same share of the time.
   *
   * @param length the share; times are whole bins with multiples of a tenth
   */
  static Outcome run(long seed, double storeFactor, double length, Runs.Listener progress) {
    ProgressMeter meter = new ProgressMeter(BIN_SECONDS);
    double join = length * JOIN_SECONDS;
    double end = length * END_SECONDS;
    double span = length * SPAN_SECONDS;
    FirstReads firstReads = new FirstReads(join);
    Runs runs = new Runs(seed);
    runs.add(scenario(seed, storeFactor, length), meter, firstReads);
    SimulationResult result = runs.run(progress).getFirst();
    return new Outcome(
        storeFactor,
        firstReads.chunks(),
        result.timeline(),
        result.residencies(),
        mostRotating(result.residencies()),
        meter.rate(join - span, join),
        meter.rate(end - span, end),
        earlyJob(meter, join - span, join),
        earlyJob(meter, end - span, end),
        meter.progress(0, end),
        firstReads.starts());
  }

  private static double earlyJob(ProgressMeter meter, double from, double to) {
    return IntStream.range(0, EARLY_JOBS)
        .mapToDouble(job -> meter.rate(job, from, to))
        .average()
        .orElseThrow();
  }

  /** The most that overlap; that one leaves when another comes does not count. */
  static int mostRotating(List<ChunkResidency> residencies) {
    List<ChunkResidency> rotating = residencies.stream().filter(ChunkResidency::rotating).toList();
    int most = 0;
    for (ChunkResidency one : rotating) {
      double moment = one.fromSeconds();
      long together =
          rotating.stream()
              .filter(each -> each.fromSeconds() <= moment && moment < each.toSeconds())
              .count();
      most = (int) Math.max(most, together);
    }
    return most;
  }
}
