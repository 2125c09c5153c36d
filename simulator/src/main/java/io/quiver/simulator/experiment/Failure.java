package io.quiver.simulator.experiment;

import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * A cache server is lost in mid-epoch (Quiver, §4.8): seven jobs of ResNet50, first with everything
 * cached from a slow store, then with a cache for a fifth of the data set. Jobs go on with what is
 * left and bring in again what was lost. To compare, a plain cache of what was used last and jobs
 * that insist on their order: they wait for what was lost. That every item still comes exactly once
 * is judged in every run.
 */
public final class Failure {
  /** When the server is lost. */
  public static final double LOST_SECONDS = 1100;

  private static final double END_SECONDS = 1400;
  private static final double BIN_SECONDS = 10;
  private static final double SPAN_SECONDS = 100;
  private static final int JOBS = 7;
  private static final int BATCH_ITEMS = MultiJob.BATCH_ITEMS;

  /** Slow enough for a job to stall when a seventh of what it reads has to come from the store. */
  private static final double SLOW_STORE = 0.25;

  /** Progress is back to normal when it is this share of what it was. */
  private static final double RECOVERED = 0.98;

  private Failure() {}

  /**
   * One run.
   *
   * @param cacheShare which part of the data set the cache can hold
   * @param cache {@code planned}, where jobs substitute, or {@code lru}
   * @param storeFactor how many times as fast as the paper's the store is
   * @param progress mini-batches a second of all jobs
   * @param before those in the time before the loss
   * @param worst the fewest in ten seconds after it
   * @param after those in the last of the run
   * @param recoverySeconds how long after the loss progress is last below 98 % of what it was; 0 if
   *     it never is
   * @param storeBefore bytes a second from the store before the loss
   * @param storeWorst the most in ten seconds after it
   */
  public record Outcome(
      double cacheShare,
      String cache,
      double storeFactor,
      List<ProgressMeter.Sample> progress,
      double before,
      double worst,
      double after,
      double recoverySeconds,
      double storeBefore,
      double storeWorst) {}

  private record Setup(double cacheShare, PlannerKind planner, double storeFactor) {
    private String cache() {
      return planner == PlannerKind.LRU ? "lru" : "planned";
    }

    Scenario scenario(long seed) {
      String name = "a server lost, cache for " + cacheShare + ", " + cache();
      // Room to spare, so that the six servers left can hold what was on seven.
      double bytes = cacheShare * Workload.RESNET.datasetBytes() * JOBS / (JOBS - 1) * 1.1;
      return new SharedCluster(name, BATCH_ITEMS)
          .cache(bytes)
          .planner(PlannerConfig.of(planner))
          .storeFactor(storeFactor)
          .untilSeconds(END_SECONDS)
          .jobs(Workload.RESNET, JOBS, Long.MAX_VALUE, 0, sampler())
          .killServer(LOST_SECONDS, 3)
          .build(seed);
    }

    private SamplerKind sampler() {
      return planner == PlannerKind.LRU ? SamplerKind.STRICT : SamplerKind.SUBSTITUTE;
    }

    Outcome outcome(ProgressMeter meter) {
      double before = meter.rate(LOST_SECONDS - SPAN_SECONDS, LOST_SECONDS);
      double worst = before;
      double storeWorst = 0;
      double recovery = 0;
      for (double start = LOST_SECONDS; start < END_SECONDS; start += BIN_SECONDS) {
        double rate = meter.rate(start, start + BIN_SECONDS);
        worst = Math.min(worst, rate);
        storeWorst = Math.max(storeWorst, meter.storeRate(start, start + BIN_SECONDS));
        if (rate < RECOVERED * before) {
          recovery = start + BIN_SECONDS - LOST_SECONDS;
        }
      }
      return new Outcome(
          cacheShare,
          cache(),
          storeFactor,
          meter.progress(LOST_SECONDS - SPAN_SECONDS, END_SECONDS),
          before,
          worst,
          meter.rate(END_SECONDS - SPAN_SECONDS, END_SECONDS),
          recovery,
          meter.storeRate(LOST_SECONDS - SPAN_SECONDS, LOST_SECONDS),
          storeWorst);
    }
  }

  /** Runs it in all ways. */
  public static List<Outcome> run(long seed, Runs.Listener progress) {
    List<Setup> setups =
        List.of(
            new Setup(1, PlannerKind.MARGINAL, SLOW_STORE),
            new Setup(1, PlannerKind.LRU, SLOW_STORE),
            new Setup(0.2, PlannerKind.MARGINAL, 1));
    Runs runs = new Runs(seed);
    List<ProgressMeter> meters = new ArrayList<>();
    for (Setup setup : setups) {
      ProgressMeter meter = new ProgressMeter(BIN_SECONDS);
      meters.add(meter);
      runs.add(setup.scenario(seed), meter);
    }
    runs.run(progress);
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < setups.size(); i++) {
      outcomes.add(setups.get(i).outcome(meters.get(i)));
    }
    return outcomes;
  }
}
