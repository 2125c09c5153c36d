package io.quiver.simulator.result;

import io.quiver.simulator.check.Judge.Violation;
import java.util.List;

/**
 * The result of a simulation.
 *
 * @param scenario the scenario's name
 * @param seed decided everything random in it
 * @param run the length of the run
 * @param jobs the jobs, in the scenario's order
 * @param timeline the progress of all jobs, moment by moment
 * @param residencies the chunks that were in the cache, by time
 * @param violations the first promises that were broken; none in a good run
 */
public record SimulationResult(
    String scenario,
    long seed,
    Run run,
    List<JobResult> jobs,
    List<TimelineSample> timeline,
    List<ChunkResidency> residencies,
    List<Violation> violations) {
  /** Keeps its own copies. */
  public SimulationResult {
    jobs = List.copyOf(jobs);
    timeline = List.copyOf(timeline);
    residencies = List.copyOf(residencies);
    violations = List.copyOf(violations);
  }

  /**
   * The length of a run.
   *
   * @param seconds its virtual time
   * @param plans how many plans the manager made
   * @param logHash a hash over everything that happened, in hexadecimal digits
   */
  public record Run(double seconds, long plans, long events, String logHash) {}

  /**
   * The result of a job.
   *
   * @param stallSeconds for how long its GPUs waited for batches
   * @param items the items it got and where they came from
   */
  public record JobResult(
      String name,
      int gpus,
      double startSeconds,
      double seconds,
      long batches,
      double stallSeconds,
      ItemCounts items,
      boolean killed) {
    /** Returns the bytes it read from the store, for itself or to bring them in. */
    public long storeBytes() {
      return items.storeBytes;
    }
  }

  /**
   * The items of a job.
   *
   * @param delivered how many it got
   * @param hits how many of them the cache had
   * @param fromStore how many it read from the store, for itself or to bring them in
   */
  public record ItemCounts(long delivered, long hits, long fromStore, long storeBytes) {}

  /**
   * The progress of all jobs at a moment.
   *
   * @param batches batches worked on so far
   * @param storeBytes bytes read from stores so far
   * @param cachedBytes bytes on all servers
   */
  public record TimelineSample(double seconds, long batches, long storeBytes, long cachedBytes) {}

  /**
   * One residency of a chunk in the cache.
   *
   * @param rotating whether the chunk rotated when it came
   * @param fromSeconds when its first item came
   * @param toSeconds when its last item went, or the end
   */
  public record ChunkResidency(
      String dataset, int chunk, boolean rotating, double fromSeconds, double toSeconds) {}

  /** Returns the virtual time of the run. */
  public double seconds() {
    return run.seconds;
  }

  /** Returns the time of the slowest job. */
  public double slowestSeconds() {
    return jobs.stream().mapToDouble(JobResult::seconds).max().orElse(0);
  }

  /** Returns the average time of a job. */
  public double averageSeconds() {
    return jobs.stream().mapToDouble(JobResult::seconds).average().orElse(0);
  }

  /** Returns the bytes that all jobs together read from stores. */
  public long storeBytes() {
    return jobs.stream().mapToLong(JobResult::storeBytes).sum();
  }
}
