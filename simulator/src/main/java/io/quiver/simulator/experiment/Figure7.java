package io.quiver.simulator.experiment;

import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.sampling.SamplerKind;
import io.quiver.simulator.Simulation;
import io.quiver.simulator.job.Caching;
import io.quiver.simulator.result.Sample;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.result.Stay;
import io.quiver.simulator.scenario.Scenario;
import java.util.List;

/**
 * Quiver's Figure 7 (FAST '20, §7.5): four jobs of ResNet50 share a cache with room for a fifth of
 * ImageNet; three more join after fifteen minutes. What it shows: never more than two rotating
 * chunks are resident, late jobs begin with the chunks that are there, and progress rises when they
 * join.
 */
public final class Figure7 {
  /** When the late jobs join. */
  public static final double JOIN_SECONDS = 900;

  private static final int EARLY_JOBS = 4;
  private static final int LATE_JOBS = 3;
  private static final double CACHE_SHARE = 0.2;
  private static final int CHUNKS = 10;
  private static final long EARLY_BATCHES = 14_000;
  private static final long LATE_BATCHES = 4_000;

  private Figure7() {}

  /**
   * What the figure shows.
   *
   * @param timeline the progress of all jobs
   * @param stays which chunks were in the cache when
   * @param mostRotating the most rotating chunks that were there at the same time
   * @param batchesPerSecondBefore progress of all jobs in the five minutes before the late ones
   *     join
   * @param batchesPerSecondAfter and in the five minutes after
   */
  public record Outcome(
      List<Sample> timeline,
      List<Stay> stays,
      int mostRotating,
      double batchesPerSecondBefore,
      double batchesPerSecondAfter) {}

  /** The scenario. */
  public static Scenario scenario(long seed) {
    Workload workload = Workload.RESNET;
    return new SharedCluster("Figure 7", Table3.BATCH_ITEMS)
        .caching(Caching.PLANNED, CACHE_SHARE * workload.datasetBytes())
        .planner(PlannerConfig.PAPER.withMaxChunks(CHUNKS))
        .jobs(workload, EARLY_JOBS, EARLY_BATCHES, 0, SamplerKind.SUBSTITUTE)
        .jobs(workload, LATE_JOBS, LATE_BATCHES, JOIN_SECONDS, SamplerKind.SUBSTITUTE)
        .build(seed);
  }

  /** Runs it. */
  public static Outcome run(long seed) {
    SimulationResult result = Simulation.run(scenario(seed), seed);
    if (!result.violations().isEmpty()) {
      throw new IllegalStateException("Figure 7: " + result.violations());
    }
    double span = 300;
    return new Outcome(
        result.timeline(),
        result.stays(),
        mostRotating(result.stays()),
        rate(result.timeline(), JOIN_SECONDS - span, JOIN_SECONDS),
        rate(result.timeline(), JOIN_SECONDS + 10, JOIN_SECONDS + 10 + span));
  }

  /** The most that overlap; that one leaves when another comes does not count. */
  static int mostRotating(List<Stay> stays) {
    List<Stay> rotating = stays.stream().filter(Stay::rotating).toList();
    int most = 0;
    for (Stay stay : rotating) {
      double moment = stay.fromSeconds();
      long together =
          rotating.stream()
              .filter(each -> each.fromSeconds() <= moment && moment < each.toSeconds())
              .count();
      most = (int) Math.max(most, together);
    }
    return most;
  }

  private static double rate(List<Sample> timeline, double from, double to) {
    Sample first = at(timeline, from);
    Sample last = at(timeline, to);
    return (last.batches() - first.batches()) / (last.seconds() - first.seconds());
  }

  private static Sample at(List<Sample> timeline, double seconds) {
    return timeline.stream()
        .filter(each -> each.seconds() >= seconds)
        .findFirst()
        .orElse(timeline.getLast());
  }
}
