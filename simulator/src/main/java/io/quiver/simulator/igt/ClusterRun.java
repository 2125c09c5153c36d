package io.quiver.simulator.igt;

import io.quiver.core.stream.AccessPattern;
import io.quiver.simulator.engine.Engine;
import io.quiver.simulator.engine.SeededNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** One run of programs that arrive one after another, with one cache. */
public final class ClusterRun {
  /** Mean time from one submission to the next at full scale (IGTCache, §5.1). */
  static final double GAP_SECONDS = 60;

  private static final double NANOS = 1e9;

  /** Longest run: a program that has not ended by then never will. */
  private static final long LIMIT_NANOS = 10_000_000L * 1_000_000_000L;

  final Engine engine = new Engine();
  final RemoteLink store = new RemoteLink(engine);
  final List<RunningProgram> jobs = new ArrayList<>();

  /**
   * The result of a program.
   *
   * @param job its number in the paper's table
   * @param pattern how it reads
   * @param hits reads answered without the store
   * @param reads all reads
   * @param seconds time from submission to the end
   */
  public record JobResult(int job, AccessPattern pattern, long hits, long reads, double seconds) {}

  /**
   * The result of a run.
   *
   * @param storeBytes bytes that the store sent
   * @param jobs the programs, by number
   */
  public record Result(long storeBytes, List<JobResult> jobs) {
    /** Keeps its own copy. */
    public Result {
      jobs = List.copyOf(jobs);
    }

    /** Returns the share of all reads that were answered without the store. */
    public double hitRatio() {
      return hitRatio(any -> true);
    }

    /** Returns the mean time of all programs. */
    public double meanSeconds() {
      return meanSeconds(any -> true);
    }

    /** Returns the share of reads of some programs that were answered without the store. */
    public double hitRatio(Predicate<JobResult> which) {
      long hits = jobs.stream().filter(which).mapToLong(JobResult::hits).sum();
      long reads = jobs.stream().filter(which).mapToLong(JobResult::reads).sum();
      return (double) hits / Math.max(1, reads);
    }

    /** Returns the mean time of some programs. */
    public double meanSeconds(Predicate<JobResult> which) {
      return jobs.stream().filter(which).mapToDouble(JobResult::seconds).average().orElse(0);
    }
  }

  /** Submits programs in a random order, at random times with this mean gap. */
  ClusterRun(
      List<ProgramSpec> specs,
      double gapSeconds,
      long seed,
      BiFunction<Engine, RemoteLink, ReadPath> cache) {
    ReadPath path = cache.apply(engine, store);
    SeededNumbers numbers = SeededNumbers.of(seed, "arrivals");
    List<ProgramSpec> left = new ArrayList<>(specs);
    double at = 0;
    while (!left.isEmpty()) {
      ProgramSpec spec = left.remove(numbers.below(left.size()));
      jobs.add(new RunningProgram(engine, path, spec, seed, Math.round(at * NANOS)));
      at -= gapSeconds * Math.log1p(-numbers.fraction());
    }
    jobs.sort((one, other) -> Integer.compare(one.spec().number(), other.spec().number()));
  }

  /** Runs until all programs have ended. */
  Result run() {
    engine.run(LIMIT_NANOS);
    return result();
  }

  Result result() {
    List<JobResult> results = new ArrayList<>();
    for (RunningProgram job : jobs) {
      if (!job.isFinished()) {
        throw new IllegalStateException("job " + job.spec().number() + " has not ended");
      }
      results.add(
          new JobResult(
              job.spec().number(),
              job.spec().pattern(),
              job.hits(),
              job.hits() + job.misses(),
              job.seconds()));
    }
    return new Result(store.passedBytes(), results);
  }
}
