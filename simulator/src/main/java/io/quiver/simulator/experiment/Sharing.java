package io.quiver.simulator.experiment;

import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Measures who gains from the cache (Quiver, §5.4): a single job, the jobs of one multi-job, and
 * different jobs that happen to read the same data set; each with a cache for all of it and for a
 * part. Every line tells of the first epoch, in which the cache fills, and of the last.
 */
public final class Sharing {
  private static final int EPOCHS = 3;
  private static final int MANY = 4;
  private static final int BATCH_ITEMS = 8;

  private Sharing() {}

  /**
   * One line.
   *
   * @param scenario which of the three
   * @param jobs how many jobs run
   * @param cacheShare which part of the data set the cache can hold
   * @param missEpochSeconds an epoch without a cache, on average over the jobs
   * @param firstEpochSeconds the first epoch
   * @param lastEpochSeconds the last
   * @param speedup how many times as fast the last epoch is as without a cache
   * @param reads how often each item is read from the store in the last epoch, by all jobs
   * @param readsAlone how often it would be without a cache
   * @param expectation what the paper says of it
   */
  public record Row(
      String scenario,
      int jobs,
      double cacheShare,
      double missEpochSeconds,
      double firstEpochSeconds,
      double lastEpochSeconds,
      double speedup,
      double reads,
      double readsAlone,
      String expectation) {}

  private record Case(
      String scenario, List<Workload> models, double cacheShare, String expectation) {
    int jobs() {
      return models.size();
    }

    Scenario scenario(boolean cached, long seed) {
      double bytes = cacheShare * models.getFirst().datasetBytes();
      // The planner leaves some of the bytes free: what is to fit needs a little more.
      double servers = cacheShare >= 1 ? 1.1 * bytes : bytes;
      SharedCluster cluster =
          new SharedCluster(scenario + ", " + cacheShare, BATCH_ITEMS)
              .cache(servers)
              .planner(PlannerConfig.of(cached ? PlannerKind.MARGINAL : PlannerKind.NONE))
              .epochs(EPOCHS);
      for (Workload model : models) {
        cluster.jobs(model, 1, Long.MAX_VALUE, 0, SamplerKind.SUBSTITUTE);
      }
      return cluster.build(seed);
    }

    Row row(EpochTimes without, EpochTimes with) {
      double miss = without.seconds(EPOCHS - 1);
      double last = with.seconds(EPOCHS - 1);
      double bytes = models.getFirst().datasetBytes();
      return new Row(
          scenario,
          jobs(),
          cacheShare,
          miss,
          with.seconds(0),
          last,
          miss / last,
          with.storeBytes(EPOCHS - 1) / bytes,
          without.storeBytes(EPOCHS - 1) / bytes,
          expectation);
    }
  }

  private static List<Case> cases(Workload model) {
    List<Workload> one = List.of(model);
    List<Workload> multiJob = Collections.nCopies(MANY, model);
    Workload other = Workload.INCEPTION.onDatasetOf(model);
    List<Workload> mixed = List.of(model, model, other, other);
    return List.of(
        new Case("one job", one, 1, "full hits after the first epoch"),
        new Case("one job", one, 0.5, "no benefit"),
        new Case("one multi-job", multiJob, 1, "all jobs share the cache and get full hits"),
        new Case("one multi-job", multiJob, 0.1, "better, because jobs share the reads"),
        new Case("different jobs", mixed, 1, "opportunistic sharing"),
        new Case("different jobs", mixed, 0.2, "opportunistic sharing"));
  }

  /** Runs all of them. */
  public static List<Row> run(long seed, Runs.Listener progress) {
    return run(seed, 1, progress);
  }

  /** Runs all of them on a share of the data set. */
  static List<Row> run(long seed, double length, Runs.Listener progress) {
    Runs runs = new Runs(seed);
    List<EpochTimes> without = new ArrayList<>();
    List<EpochTimes> with = new ArrayList<>();
    List<Case> cases = cases(Workload.RESNET.shortened(length));
    for (Case each : cases) {
      without.add(new EpochTimes());
      with.add(new EpochTimes());
      runs.add(each.scenario(false, seed), without.getLast());
      runs.add(each.scenario(true, seed), with.getLast());
    }
    runs.run(progress);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      rows.add(cases.get(i).row(without.get(i), with.get(i)));
    }
    return rows;
  }
}
