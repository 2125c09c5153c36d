package io.quiver.benchmarks.demo.report;

import io.quiver.benchmarks.demo.run.DemoJobResult;
import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.DemoScenario;
import io.quiver.benchmarks.demo.run.RunResult;
import io.quiver.report.plot.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares the predictions of theory for a scenario with the measurements. */
final class DemoFindings {
  /** Above this load of the store's link some waiting is unavoidable. */
  static final double FREE_LOAD = 0.95;

  private final DemoResult result;
  private final DemoScenario scenario;
  private final List<DemoFinding> findings = new ArrayList<>();

  private DemoFindings(DemoResult result) {
    this.result = result;
    this.scenario = result.scenario();
  }

  static List<DemoFinding> of(DemoResult result) {
    return new DemoFindings(result).collect();
  }

  private List<DemoFinding> collect() {
    Optional<RunResult> quiver = result.run(DemoMode.QUIVER);
    quiver.ifPresent(this::reads);
    quiver.ifPresent(this::speed);
    return findings;
  }

  /** All jobs together read the part that is not pinned once per epoch, and the rest once. */
  private void reads(RunResult run) {
    double cache = scenario.cacheFraction();
    double window = run.windowFraction();
    double slack = sameSpeed() ? 1.05 : 1.15;
    findings.add(
        DemoFinding.atMost(
            slack * (1 - cache + window),
            run.readsPerItemLeadEpoch(),
            "Quiver: reads per item and epoch of the fastest job, all jobs together, without"
                + " the first load of pinned chunks; at most "
                + slack
                + " × (1 − c + w)"));
    findings.add(
        DemoFinding.atMost(
            0.001,
            run.duplicateFetches(),
            "Quiver: share of reads whose item was already in the cache"));
  }

  private boolean sameSpeed() {
    return scenario.work().speeds().stream().distinct().count() == 1;
  }

  private void speed(RunResult run) {
    if (result.storeLoad() <= FREE_LOAD) {
      result.run(DemoMode.ALL_CACHED).ifPresent(cached -> slowdown(run, cached));
    }
    result
        .run(DemoMode.NONE)
        .ifPresent(none ->
            findings.add(
                DemoFinding.atLeast(
                    3, none.seconds() / run.seconds(), "Quiver: times faster than no cache")));
    result
        .run(DemoMode.LRU)
        .ifPresent(lru ->
            findings.add(
                DemoFinding.atLeast(
                    2.5, lru.seconds() / run.seconds(), "Quiver: times faster than shared LRU")));
    result
        .run(DemoMode.PINNED)
        .ifPresent(pinned ->
            findings.add(
                DemoFinding.atLeast(
                    2, pinned.seconds() / run.seconds(), "Quiver: times faster than pinned only")));
  }

  private void slowdown(RunResult run, RunResult cached) {
    double worst = 0;
    double fastest = Double.POSITIVE_INFINITY;
    double fastestTime = Double.POSITIVE_INFINITY;
    for (int i = 0; i < run.jobs().size(); i++) {
      DemoJobResult job = run.jobs().get(i);
      double slowdown = job.seconds() / cached.jobs().get(i).seconds();
      worst = Math.max(worst, slowdown);
      if (job.seconds() < fastestTime) {
        fastestTime = job.seconds();
        fastest = slowdown;
      }
    }
    findings.add(
        DemoFinding.atMost(
            1.05, fastest, "Quiver: time of the fastest job, everything cached = 1"));
    findings.add(
        DemoFinding.atMost(1.10, worst, "Quiver: time of the slowest job, everything cached = 1"));
  }

  /** Returns the hit ratio of a warm LRU on a random permutation per epoch. */
  static double lruLaw(double cacheFraction) {
    return cacheFraction >= 1
        ? 1
        : cacheFraction + (1 - cacheFraction) * Math.log(1 - cacheFraction);
  }

  /**
   * One thing that was expected, and what came out.
   *
   * @param what in words
   * @param measured what came out
   * @param bound what it should be at most, or at least
   * @param atLeast whether more is better
   * @param met whether it is
   */
  public record DemoFinding(
      String what, double measured, double bound, boolean atLeast, boolean met) {
    /** Something that should be small. */
    static DemoFinding atMost(double bound, double measured, String what) {
      return new DemoFinding(what, measured, bound, false, measured <= bound);
    }

    /** Something that should be large. */
    static DemoFinding atLeast(double bound, double measured, String what) {
      return new DemoFinding(what, measured, bound, true, measured >= bound);
    }

    /** Returns the bound in words. */
    String target() {
      return (atLeast ? "≥ " : "≤ ") + Figures.ratio(bound);
    }
  }
}
