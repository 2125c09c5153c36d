package io.quiver.benchmarks.demo.run;

import io.quiver.core.plan.PlannerKind;
import java.time.Duration;
import java.util.List;

/**
 * The jobs of a demo and their resources, equal for every mode.
 *
 * @param jobs number of jobs
 * @param epochs epochs of each job
 * @param batch items of a batch
 * @param work the time that jobs work
 * @param cacheFraction cache size as a share of the data set's bytes
 * @param store the speed of the store
 * @param planner the planner of the mode quiver
 * @param seed decides every order
 */
public record DemoScenario(
    int jobs,
    int epochs,
    int batch,
    Work work,
    double cacheFraction,
    Store store,
    PlannerKind planner,
    long seed) {
  /**
   * The time that jobs work.
   *
   * @param epochTime length of an epoch of a job of speed 1 that never waits
   * @param speeds factors of the work of each job on a batch; repeated when there are more jobs
   * @param stagger time between the starts of two jobs
   */
  public record Work(Duration epochTime, List<Double> speeds, Duration stagger) {
    /** Keeps its own copy. */
    public Work {
      speeds = List.copyOf(speeds);
    }
  }

  /**
   * The speed of the store.
   *
   * @param bytesPerSecond bandwidth for all jobs together
   * @param latency wait of every request
   */
  public record Store(long bytesPerSecond, Duration latency) {}

  /** Most jobs: they are threads of one process. */
  public static final int MAX_JOBS = 64;

  /** Checks every value. */
  public DemoScenario {
    require(jobs >= 1 && jobs <= MAX_JOBS, "--jobs " + jobs, "1 to " + MAX_JOBS);
    require(epochs >= 1 && epochs <= 1000, "--epochs " + epochs, "1 to 1000");
    require(batch >= 1 && batch <= 65_536, "--batch " + batch, "1 to 65536");
    require(
        !work.epochTime.isNegative() && work.epochTime.toHours() < 24,
        "--epoch-s " + seconds(work.epochTime),
        "0 to 86399 seconds");
    require(
        !work.speeds.isEmpty()
            && work.speeds.size() <= jobs
            && work.speeds.stream().allMatch(s -> s >= 0.01 && s <= 1000),
        "--speeds " + work.speeds,
        "one to " + jobs + " numbers of 0.01 to 1000, such as 1,1.3,2,3");
    require(
        !work.stagger.isNegative() && work.stagger.toHours() < 24,
        "--stagger-s " + seconds(work.stagger),
        "0 to 86399 seconds");
    require(
        cacheFraction > 0 && cacheFraction <= 1,
        "--cache-fraction " + cacheFraction,
        "more than 0 and at most 1, such as 0.2");
    require(store.bytesPerSecond >= 1000, "--store-mbps", "at least 0.001 megabytes per second");
    require(
        !store.latency.isNegative() && store.latency.toSeconds() <= 60,
        "--store-latency-ms " + store.latency.toMillis(),
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

  /** Returns the factor of a job's work on a batch. */
  public double speed(int job) {
    return work.speeds.get(job % work.speeds.size());
  }

  /** Returns the name of a job. */
  public String jobName(int job) {
    return "job-" + (job + 1);
  }

  /** Returns the seconds that a job works on one item. */
  public double itemSeconds(int job, int items) {
    return seconds(work.epochTime) * speed(job) / items;
  }

  /** Returns the time between the starts of the first job and this one. */
  public Duration start(int job) {
    return work.stagger.multipliedBy(job);
  }

  /** Returns the time after which a run of this many bytes has failed. */
  public Duration patience(long bytes) {
    double slowest = work.speeds.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    double compute = epochs * seconds(work.epochTime) * slowest;
    double reading = (double) jobs * epochs * bytes / store.bytesPerSecond;
    double all = 60 + 4 * (compute + reading) + seconds(start(jobs - 1));
    return Duration.ofMillis((long) (1000 * all));
  }
}
