package io.quiver.simulator.experiment;

import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Quiver's Figure 6 (FAST '20, §7.6): four jobs each of ResNet50, Inception and DeepSpeech2, each
 * on a machine of four GPUs with a data set per model, and a cache for 100, 200 or 700 GB of their
 * 775. How fast they are compared with no cache, on average over the jobs, after a time in which
 * the cache fills: with nobody deciding what it holds, with what was used last, with the paper's
 * greedy choice, and with ours.
 */
public final class Figure6 {
  private static final List<Integer> CACHE_GIGABYTES = List.of(100, 200, 700);
  private static final int JOBS_EACH = 4;
  private static final int BATCH_ITEMS = 8;
  private static final int EPOCHS = 50;

  /** Twelve jobs and servers report all the time: planning for each report would take the most. */
  private static final long CYCLE_MILLIS = 50;

  private static final double GIGA = 1e9;
  private static final double BIN_SECONDS = 20;
  private static final double STEADY_SECONDS = 400;
  private static final double PLANNED_WARM_SECONDS = 1800;
  private static final double LRU_WARM_SECONDS = 1000;

  private Figure6() {}

  /**
   * One bar of the figure.
   *
   * @param cacheGigabytes how much the cache holds
   * @param planner who decides what it holds: {@code none}, {@code lru}, {@code greedy3} or {@code
   *     marginal}
   * @param speedup how many times as fast jobs are as without a cache, on average
   * @param paper what the paper says, where it does
   * @param timeline the speed-up by time, from the beginning
   */
  public record Row(
      int cacheGigabytes,
      String planner,
      double speedup,
      OptionalDouble paper,
      List<ProgressMeter.Sample> timeline) {}

  /**
   * The figure.
   *
   * @param storeBandwidthFactor how many times as fast as the paper's the store is
   * @param bound the speed-up when everything is in the cache from the start
   * @param rows the bars
   */
  public record Outcome(double storeBandwidthFactor, double bound, List<Row> rows) {}

  /** One run and what it is for. */
  private record Bar(int gigabytes, PlannerKind kind, ProgressMeter meter) {
    double warmSeconds() {
      return kind == PlannerKind.LRU ? LRU_WARM_SECONDS : PLANNED_WARM_SECONDS;
    }

    Scenario scenario(double storeFactor, long seed) {
      SamplerKind sampler = kind == PlannerKind.LRU ? SamplerKind.STRICT : SamplerKind.SUBSTITUTE;
      return cluster(kind.word() + ", " + gigabytes + " GB", storeFactor)
          .cache(gigabytes * GIGA)
          .planner(PlannerConfig.of(kind))
          .untilSeconds(warmSeconds() + STEADY_SECONDS)
          .mix(JOBS_EACH, sampler)
          .build(seed);
    }

    Row row(double[] baseline) {
      List<ProgressMeter.Sample> timeline = new ArrayList<>();
      double end = warmSeconds() + STEADY_SECONDS;
      for (double from = 0; from < end - 1; from += BIN_SECONDS) {
        double speed = speedup(meter, baseline, from, from + BIN_SECONDS);
        timeline.add(new ProgressMeter.Sample(from + BIN_SECONDS / 2, speed));
      }
      double steady = speedup(meter, baseline, warmSeconds(), end);
      return new Row(gigabytes, kind.word(), steady, paper(), timeline);
    }

    private OptionalDouble paper() {
      if (kind == PlannerKind.GREEDY3 && gigabytes == 100) {
        return OptionalDouble.of(1.6);
      }
      if (kind == PlannerKind.GREEDY3 && gigabytes == 700) {
        return OptionalDouble.of(2.32);
      }
      return kind == PlannerKind.LRU && gigabytes == 700
          ? OptionalDouble.of(2.2)
          : OptionalDouble.empty();
    }
  }

  private static SharedCluster cluster(String name, double storeFactor) {
    return new SharedCluster("Figure 6, " + name, BATCH_ITEMS)
        .storeFactor(storeFactor)
        .cycleMillis(CYCLE_MILLIS)
        .epochs(EPOCHS);
  }

  /**
   * The figure.
   *
   * @param storeBandwidthFactor how many times as fast as the paper's the store is; 1 for the
   *     paper's
   */
  public static Outcome run(long seed, double storeBandwidthFactor, Runs.Listener progress) {
    Runs runs = new Runs(seed);
    List<Bar> bars = new ArrayList<>();
    for (PlannerKind kind : List.of(PlannerKind.LRU, PlannerKind.GREEDY3, PlannerKind.MARGINAL)) {
      for (int gigabytes : CACHE_GIGABYTES) {
        Bar bar = new Bar(gigabytes, kind, new ProgressMeter(BIN_SECONDS));
        bars.add(bar);
        runs.add(bar.scenario(storeBandwidthFactor, seed), bar.meter);
      }
    }
    ProgressMeter none = new ProgressMeter(BIN_SECONDS);
    ProgressMeter all = new ProgressMeter(BIN_SECONDS);
    SharedCluster uncached = cluster("none", storeBandwidthFactor);
    runs.add(steady(uncached.planner(PlannerConfig.of(PlannerKind.NONE)), seed), none);
    SharedCluster cached = cluster("all", storeBandwidthFactor).cache(800 * GIGA);
    runs.add(steady(cached.fullyCached(), seed), all);
    runs.run(progress);
    double[] baseline = baseline(none);
    List<Row> rows = new ArrayList<>();
    for (int gigabytes : CACHE_GIGABYTES) {
      rows.add(new Row(gigabytes, PlannerKind.NONE.word(), 1, OptionalDouble.of(1), List.of()));
      bars.stream()
          .filter(bar -> bar.gigabytes == gigabytes)
          .forEach(bar -> rows.add(bar.row(baseline)));
    }
    double bound = speedup(all, baseline, STEADY_SECONDS / 2, STEADY_SECONDS);
    return new Outcome(storeBandwidthFactor, bound, rows);
  }

  /** Returns a short run of a cluster where every time is like any other. */
  private static Scenario steady(SharedCluster cluster, long seed) {
    return cluster.untilSeconds(STEADY_SECONDS).mix(JOBS_EACH, SamplerKind.STRICT).build(seed);
  }

  private static double[] baseline(ProgressMeter none) {
    double[] rates = new double[none.jobs()];
    for (int job = 0; job < rates.length; job++) {
      rates[job] = none.rate(job, BIN_SECONDS, STEADY_SECONDS);
    }
    return rates;
  }

  private static double speedup(ProgressMeter meter, double[] baseline, double from, double to) {
    double sum = 0;
    for (int job = 0; job < baseline.length; job++) {
      sum += meter.rate(job, from, to) / baseline[job];
    }
    return sum / baseline.length;
  }
}
