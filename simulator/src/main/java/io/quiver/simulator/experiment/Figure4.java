package io.quiver.simulator.experiment;

import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.scenario.Scenario.LoaderSpec;
import io.quiver.simulator.scenario.Scenario.Transform;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Quiver's Figures 4 and 5 (FAST '20, §7.4): when twenty consecutive mini-batches of one of seven
 * ResNet50 jobs are read, transformed and computed, with remote I/O and with hits.
 *
 * <p>The paper gives no figures for the transformation but that it takes long and runs on several
 * cores at once. It takes a worker {@value #TRANSFORM_MILLIS} ms here, {@value #WORKERS} work at
 * the same time, and {@value #DEPTH} mini-batches are under way.
 */
public final class Figure4 {
  private static final int TRANSFORM_MILLIS = 300;
  private static final int WORKERS = 6;
  private static final int DEPTH = 8;
  private static final int FIRST = 200;
  private static final int SHOWN = 20;
  private static final Transform TRANSFORM = new Transform(TRANSFORM_MILLIS * 1_000_000L, WORKERS);

  private Figure4() {}

  /** The place that everything is read from. */
  public enum Source {
    /** The store: Figure 4. */
    REMOTE,
    /** The cache: Figure 5. */
    HITS
  }

  /** The stages of a mini-batch, in seconds since the start of the job. */
  public record MiniBatch(
      double ioStart,
      double ioEnd,
      double transformStart,
      double transformEnd,
      double gpuStart,
      double gpuEnd) {}

  /**
   * The figure.
   *
   * @param batches the mini-batches, in the order of the GPUs
   * @param batchesPerSecond of the job, from its first mini-batch shown to its last
   * @param untransformedPerSecond of the same job if its CPUs have nothing to do
   */
  public record Outcome(
      Source source,
      List<MiniBatch> batches,
      double batchesPerSecond,
      double untransformedPerSecond) {
    /** Returns the part of the time in which the GPUs work. */
    public double gpuBusy() {
      return batchesPerSecond * mean(each -> each.gpuEnd - each.gpuStart);
    }

    /** Returns the mean of something of all mini-batches. */
    public double mean(ToDoubleFunction<MiniBatch> seconds) {
      return batches.stream().mapToDouble(seconds).average().orElse(0);
    }
  }

  /** Runs it. */
  public static Outcome run(long seed, Source source, Runs.Listener progress) {
    PipelineTimes watched = new PipelineTimes(0);
    PipelineTimes untransformed = new PipelineTimes(0);
    Runs runs = new Runs(seed);
    runs.add(scenario(seed, source, TRANSFORM), watched);
    runs.add(scenario(seed, source, Transform.NONE), untransformed);
    runs.run(progress);
    List<MiniBatch> batches = watched.passed(FIRST, SHOWN);
    return new Outcome(source, batches, rate(batches), rate(untransformed.passed(FIRST, SHOWN)));
  }

  private static double rate(List<MiniBatch> batches) {
    double seconds = batches.getLast().gpuStart - batches.getFirst().gpuStart;
    return (batches.size() - 1) / seconds;
  }

  private static Scenario scenario(long seed, Source source, Transform transform) {
    Workload workload = Workload.RESNET;
    LoaderSpec usual = LoaderSpec.STANDARD;
    LoaderSpec loader =
        new LoaderSpec(
            DEPTH,
            DEPTH * workload.batchBytes(),
            usual.fetchBytes(),
            usual.preloadReads(),
            usual.claims(),
            usual.preload());
    SharedCluster cluster = new SharedCluster("Figure 4, " + source, MultiJob.BATCH_ITEMS);
    if (source == Source.HITS) {
      cluster.cache((double) workload.datasetBytes()).fullyCached();
    } else {
      cluster.planner(PlannerConfig.of(PlannerKind.NONE));
    }
    return cluster
        .loader(loader)
        .transform(transform)
        .jobs(workload, MultiJob.JOBS, FIRST + SHOWN, 0, SamplerKind.SUBSTITUTE)
        .build(seed);
  }
}
