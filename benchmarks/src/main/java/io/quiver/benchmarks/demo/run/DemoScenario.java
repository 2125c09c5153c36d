package io.quiver.benchmarks.demo.run;

import io.quiver.core.plan.PlannerKind;
import java.time.Duration;
import java.util.List;

/**
 * The jobs of a demo and their resources, equal for every mode.
 *
 * @param jobs how many jobs
 * @param epochs how many epochs each runs
 * @param batch items of a batch
 * @param epochTime how long an epoch takes a job of speed 1 that never waits
 * @param speeds how many times longer each job works on a batch; repeated when there are more jobs
 * @param stagger how much later each job starts than the one before
 * @param cacheFraction which part of the data set's bytes the cache may hold
 * @param storeBytesPerSecond what the link to the store carries for all jobs together
 * @param storeLatency how long a request to the store waits
 * @param planner which planner decides what is held
 * @param seed decides every order
 */
public record DemoScenario(
    int jobs,
    int epochs,
    int batch,
    Duration epochTime,
    List<Double> speeds,
    Duration stagger,
    double cacheFraction,
    long storeBytesPerSecond,
    Duration storeLatency,
    PlannerKind planner,
    long seed) {
  /** Most jobs: they are threads of one process. */
  public static final int MAX_JOBS = 64;

  /** Checks every value. */
  public DemoScenario {
    speeds = List.copyOf(speeds);
    require(jobs >= 1 && jobs <= MAX_JOBS, "--jobs " + jobs, "1 to " + MAX_JOBS);
    require(epochs >= 1 && epochs <= 1000, "--epochs " + epochs, "1 to 1000");
    require(batch >= 1 && batch <= 65_536, "--batch " + batch, "1 to 65536");
    require(
        !epochTime.isNegative() && epochTime.toHours() < 24,
        "--epoch-s " + seconds(epochTime),
        "0 to 86399 seconds");
    require(
        !speeds.isEmpty()
            && speeds.size() <= jobs
            && speeds.stream().allMatch(s -> s >= 0.01 && s <= 1000),
        "--speeds " + speeds,
        "one to " + jobs + " numbers of 0.01 to 1000, such as 1,1.3,2,3");
    require(
        !stagger.isNegative() && stagger.toHours() < 24,
        "--stagger-s " + seconds(stagger),
        "0 to 86399 seconds");
    require(
        cacheFraction > 0 && cacheFraction <= 1,
        "--cache-fraction " + cacheFraction,
        "more than 0 and at most 1, such as 0.2");
    require(storeBytesPerSecond >= 1000, "--store-mbps", "at least 0.001 megabytes per second");
    require(
        !storeLatency.isNegative() && storeLatency.toSeconds() <= 60,
        "--store-latency-ms " + storeLatency.toMillis(),
        "0 to 60000 milliseconds");
  }

  private static void require(boolean fine, String what, String remedy) {
    if (!fine) {
      throw new IllegalArgumentException(what + " makes no sense; use " + remedy);
    }
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** Returns how many times longer a job works on a batch than one of speed 1. */
  public double speed(int job) {
    return speeds.get(job % speeds.size());
  }

  /** Returns the name of a job. */
  public String jobName(int job) {
    return "job-" + (job + 1);
  }

  /** Returns how long a job works on one item when it never waits. */
  public double itemSeconds(int job, int items) {
    return seconds(epochTime) * speed(job) / items;
  }

  /** Returns how long after the first job a job starts. */
  public Duration start(int job) {
    return stagger.multipliedBy(job);
  }

  /** Returns how long a run of this many bytes may take before something must be wrong. */
  public Duration patience(long bytes) {
    double slowest = speeds.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    double compute = epochs * seconds(epochTime) * slowest;
    double store = (double) jobs * epochs * bytes / storeBytesPerSecond;
    double all = 60 + 4 * (compute + store) + seconds(start(jobs - 1));
    return Duration.ofMillis((long) (1000 * all));
  }
}
