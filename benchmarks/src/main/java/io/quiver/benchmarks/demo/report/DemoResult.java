package io.quiver.benchmarks.demo.report;

import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.DemoScenario;
import io.quiver.benchmarks.demo.run.RunResult;
import java.util.List;
import java.util.Optional;

/**
 * Everything a demo found.
 *
 * @param scenario what the jobs did
 * @param items items of the data set
 * @param bytes their bytes
 * @param runs one for each mode, in the order they ran
 * @param randomness how the jobs' order compares with a plain shuffle
 */
public record DemoResult(
    DemoScenario scenario,
    int items,
    long bytes,
    List<RunResult> runs,
    List<OrderQuality> randomness) {
  /** Keeps its own copies. */
  public DemoResult {
    runs = List.copyOf(runs);
    randomness = List.copyOf(randomness);
  }

  /** Returns the run in a mode, if there was one. */
  public Optional<RunResult> run(DemoMode mode) {
    return runs.stream().filter(run -> run.mode() == mode).findFirst();
  }

  /** Returns the rotating part of the cache as a share of the data set. */
  public double windowFraction() {
    return run(DemoMode.QUIVER).map(RunResult::windowFraction).orElse(0.0);
  }

  /** Returns the slowest run, which everything is compared with. */
  public double slowestSeconds() {
    return runs.stream().mapToDouble(RunResult::seconds).max().orElse(0);
  }

  /** Returns true if every job of every run was given every item exactly once per epoch. */
  public boolean exactlyOnce() {
    return runs.stream().allMatch(RunResult::exactlyOnce);
  }

  /**
   * Returns how busy the link to the store would be if the jobs never waited: above 0.95 some
   * waiting is unavoidable.
   */
  public double storeLoad() {
    double perEpoch = (1 - scenario.cacheFraction() + windowFraction()) * bytes;
    double fastest =
        scenario.work().speeds().stream().mapToDouble(Double::doubleValue).min().orElse(1);
    double epochSeconds = scenario.work().epochTime().toNanos() / 1e9 * fastest;
    return epochSeconds == 0
        ? Double.POSITIVE_INFINITY
        : perEpoch / scenario.store().bytesPerSecond() / epochSeconds;
  }

  /**
   * The randomness of an order in one measure: of a job, and of plain shuffles to compare with.
   *
   * @param order which epoch
   * @param measure what was measured
   * @param value of the order the job was given
   * @param shuffled what a global shuffle gives on average
   */
  public record OrderQuality(String order, String measure, double value, double shuffled) {}
}
