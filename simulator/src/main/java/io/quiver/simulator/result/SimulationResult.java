package io.quiver.simulator.result;

import io.quiver.simulator.check.Violation;
import java.util.List;

/**
 * The result of a simulation.
 *
 * @param scenario its name
 * @param seed what decided everything random in it
 * @param seconds how long it took in virtual time
 * @param jobs the jobs, in the scenario's order
 * @param timeline how far everything was, moment by moment
 * @param stays which chunks were in the cache when
 * @param plans how many plans the manager made
 * @param events how many events happened
 * @param logHash a hash over everything that happened, in hexadecimal digits
 * @param violations the first promises that were broken; none in a good run
 */
public record SimulationResult(
    String scenario,
    long seed,
    double seconds,
    List<JobResult> jobs,
    List<TimelineSample> timeline,
    List<Stay> stays,
    long plans,
    long events,
    String logHash,
    List<Violation> violations) {
  /** Keeps its own copies. */
  public SimulationResult {
    jobs = List.copyOf(jobs);
    timeline = List.copyOf(timeline);
    stays = List.copyOf(stays);
    violations = List.copyOf(violations);
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
