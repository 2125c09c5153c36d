package io.quiver.simulator.experiment;

import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.scenario.Scenario.LoaderSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Quiver's Figure 6 (FAST '20, §7.6): four jobs each of ResNet50, Inception and DeepSpeech2, each
 * on a machine of four GPUs with a data set per model, and a cache for 100, 200 or 700 GB of their
 * 775. How fast they are compared with no cache, on average over the jobs, after a time in which
 * the cache fills: with nobody deciding what it holds, with what was used last, with the paper's
 * greedy choice, and with ours. In paper mode jobs read as the paper's do, too: by Algorithm 1,
 * without claims and preloading.
 *
 * <p>The paper's allocation for 200 GB, all of ImageNet and two chunks of 15 GB of the other two,
 * takes 214 GB: its sizes must be binary. So its planner has 200 GiB to divide, on servers that
 * have enough beyond that for blobs that fall unevenly. The others have 200 GB in all.
 */
public final class Figure6 {
  private static final List<Integer> CACHE_GIGABYTES = List.of(100, 200, 700);
  private static final int JOBS_EACH = 4;
  private static final int BATCH_ITEMS = 8;
  private static final int EPOCHS = 50;

  /** Twelve jobs and servers report all the time: planning for each report would take the most. */
  private static final long CYCLE_MILLIS = 50;

  private static final double GIGA = 1e9;
  private static final double GIBI = 1024.0 * 1024 * 1024;

  /** Capacity beyond the budget of the paper's planner. */
  private static final double SLACK = 1.12;

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
   *     marginal}; {@code paper-mode} where {@code greedy3} decides and jobs read as the paper's
   * @param speedup how many times as fast jobs are as without a cache, on average
   * @param paper what the paper says, where it does
   * @param allocations what each data set has of the cache in the end
   * @param timeline the speed-up by time, from the beginning
   */
  public record Row(
      int cacheGigabytes,
      String planner,
      double speedup,
      OptionalDouble paper,
      List<Allocations.Allocation> allocations,
      List<ProgressMeter.Sample> timeline) {}

  /**
   * The figure.
   *
   * @param storeBandwidthFactor how many times as fast as the paper's the store is
   * @param bound the speed-up when everything is in the cache from the start
   * @param rows the bars
   */
  public record Outcome(double storeBandwidthFactor, double bound, List<Row> rows) {}

  /** A way to decide what the cache holds, and to read. */
  enum Contender {
    LRU(PlannerKind.LRU, SamplerKind.STRICT, LRU_WARM_SECONDS),
    PAPER_MODE(PlannerKind.GREEDY3, SamplerKind.PAPER, PLANNED_WARM_SECONDS),
    GREEDY3(PlannerKind.GREEDY3, SamplerKind.SUBSTITUTE, PLANNED_WARM_SECONDS),
    MARGINAL(PlannerKind.MARGINAL, SamplerKind.SUBSTITUTE, PLANNED_WARM_SECONDS);

    private final PlannerKind kind;
    private final SamplerKind sampler;
    private final double warmSeconds;

    Contender(PlannerKind kind, SamplerKind sampler, double warmSeconds) {
      this.kind = kind;
      this.sampler = sampler;
      this.warmSeconds = warmSeconds;
    }

    String word() {
      return this == PAPER_MODE ? "paper-mode" : kind.word();
    }

    SharedCluster equip(SharedCluster cluster, int gigabytes) {
      if (this == PAPER_MODE) {
        cluster.loader(LoaderSpec.STANDARD.with(false, false));
      }
      return kind == PlannerKind.GREEDY3
          ? cluster.cache(SLACK * gigabytes * GIBI).budget(gigabytes * GIBI)
          : cluster.cache(gigabytes * GIGA);
    }

    /** Returns what is published of a size: of the paper's system, planner and loader. */
    OptionalDouble published(int gigabytes) {
      if (kind == PlannerKind.GREEDY3 && gigabytes != 200) {
        return OptionalDouble.of(gigabytes == 100 ? 1.6 : 2.32);
      }
      return this == LRU && gigabytes == 700 ? OptionalDouble.of(2.2) : OptionalDouble.empty();
    }
  }

  /** One run and what it is for. */
  record Bar(
      int gigabytes,
      Contender contender,
      double endSeconds,
      ProgressMeter meter,
      Allocations allocations) {
    Bar(int gigabytes, Contender contender, double endSeconds) {
      this(
          gigabytes,
          contender,
          endSeconds,
          new ProgressMeter(BIN_SECONDS),
          new Allocations(endSeconds - BIN_SECONDS));
    }

    Scenario scenario(double storeFactor, long seed) {
      SharedCluster cluster = cluster(contender.word() + ", " + gigabytes + " GB", storeFactor);
      return contender
          .equip(cluster, gigabytes)
          .planner(PlannerConfig.of(contender.kind))
          .untilSeconds(endSeconds)
          .mix(JOBS_EACH, contender.sampler)
          .build(seed);
    }

    Row row(double[] baseline) {
      List<ProgressMeter.Sample> timeline = new ArrayList<>();
      for (double from = 0; from < endSeconds - 1; from += BIN_SECONDS) {
        double speed = speedup(meter, baseline, from, from + BIN_SECONDS);
        timeline.add(new ProgressMeter.Sample(from + BIN_SECONDS / 2, speed));
      }
      double steady = speedup(meter, baseline, contender.warmSeconds, endSeconds);
      OptionalDouble published = contender.published(gigabytes);
      return new Row(gigabytes, contender.word(), steady, published, allocations.list(), timeline);
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
    for (Contender contender : Contender.values()) {
      for (int gigabytes : CACHE_GIGABYTES) {
        Bar bar = new Bar(gigabytes, contender, contender.warmSeconds + STEADY_SECONDS);
        bars.add(bar);
        runs.add(bar.scenario(storeBandwidthFactor, seed), bar.meter, bar.allocations);
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
      rows.add(none(gigabytes));
      bars.stream()
          .filter(bar -> bar.gigabytes == gigabytes)
          .forEach(bar -> rows.add(bar.row(baseline)));
    }
    double bound = speedup(all, baseline, STEADY_SECONDS / 2, STEADY_SECONDS);
    return new Outcome(storeBandwidthFactor, bound, rows);
  }

  private static Row none(int gigabytes) {
    String word = PlannerKind.NONE.word();
    return new Row(gigabytes, word, 1, OptionalDouble.of(1), List.of(), List.of());
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
