package io.quiver.simulator.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quiver.simulator.result.SimulationResult.JobResult;
import java.util.List;

/**
 * A simulation's result for scripts.
 *
 * @param scenario the scenario's name
 * @param seed what decided everything random
 * @param seconds how long it took in virtual time
 * @param storeBytes bytes all jobs read from stores
 * @param plans how many plans the manager made
 * @param events how many events happened
 * @param logHash a hash over all of them: equal for equal runs
 * @param violations promises that were broken
 * @param jobs what each job came to
 */
public record SimulationDocument(
    String scenario,
    long seed,
    double seconds,
    long storeBytes,
    long plans,
    long events,
    String logHash,
    List<String> violations,
    List<Job> jobs) {
  /** Keeps its own copies. */
  public SimulationDocument {
    violations = List.copyOf(violations);
    jobs = List.copyOf(jobs);
  }

  /**
   * A job.
   *
   * @param name its name
   * @param gpus its GPUs
   * @param startSeconds when it began
   * @param seconds how long it ran
   * @param batches how many batches it worked on
   * @param hitRatio which share of its items the cache had
   * @param stall which share of its time its GPUs waited
   * @param storeBytes what it read from the store, for itself and others
   * @param killed whether it was killed
   */
  public record Job(
      String name,
      int gpus,
      @JsonProperty("start_s") double startSeconds,
      double seconds,
      long batches,
      double hitRatio,
      double stall,
      long storeBytes,
      boolean killed) {
    static Job of(JobResult job) {
      return new Job(
          job.name(),
          job.gpus(),
          job.startSeconds(),
          job.seconds(),
          job.batches(),
          job.items().delivered() == 0 ? 0 : (double) job.items().hits() / job.items().delivered(),
          job.seconds() == 0 ? 0 : job.stallSeconds() / job.seconds(),
          job.storeBytes(),
          job.killed());
    }
  }

  /** Returns the document of a result. */
  public static SimulationDocument of(SimulationResult result) {
    return new SimulationDocument(
        result.scenario(),
        result.seed(),
        result.seconds(),
        result.storeBytes(),
        result.run().plans(),
        result.run().events(),
        result.run().logHash(),
        result.violations().stream().map(Object::toString).toList(),
        result.jobs().stream().map(Job::of).toList());
  }
}
