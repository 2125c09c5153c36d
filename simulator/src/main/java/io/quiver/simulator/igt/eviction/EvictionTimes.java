package io.quiver.simulator.igt.eviction;

import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.igt.eviction.EvictionStudy.Policy;
import io.quiver.simulator.igt.prefetch.JobRun;
import io.quiver.simulator.igt.prefetch.ReadJob;
import io.quiver.simulator.igt.prefetch.StoredFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the jobs of the paper that eviction matters to, each with a cache for half of its data
 * (IGTCache, §5.3). Nothing is read ahead. Data sets are smaller than the paper's; items have the
 * paper's lengths as far as they are known, and the time that programs compute is estimated.
 */
public final class EvictionTimes {
  /** The rules that the paper compares, and ours. */
  public static final List<Policy> COMPARED =
      List.of(Policy.LRU, Policy.FIFO, Policy.ARC, Policy.UNIFORM, Policy.QUIVER);

  /** The share of its data that a job's cache holds. */
  public static final double FRACTION = 0.5;

  private static final long MICROS = 1000;

  private EvictionTimes() {}

  /**
   * The result of a job with a rule of eviction.
   *
   * @param job the job's number in the paper's Table 3
   * @param pattern how it reads
   * @param policy name of the rule
   * @param seconds how long the job took
   * @param hitRatio share of its reads that the cache answered, the first ones included
   */
  public record Row(String job, String pattern, String policy, double seconds, double hitRatio) {}

  /** A job of the paper, with the workload that stands for it. */
  private enum Job {
    IMAGENET("9", "random", 108_000, 1300 * MICROS, 8),
    PLACES("13", "random", 13_300, 400 * MICROS, 8),
    TABLE_JOIN("14", "zipf-1.0", StoredFiles.BLOCK_BYTES, 20_000 * MICROS, 1),
    RETRIEVAL("16", "drifting", StoredFiles.BLOCK_BYTES, 50_000 * MICROS, 1);

    private final String number;
    private final String workload;
    private final long itemBytes;
    private final long thinkNanos;
    private final int readers;

    /** Computes so long for an item; loaders with several readers compute in each of them. */
    Job(String number, String workload, long itemBytes, long thinkNanos, int readers) {
      this.number = number;
      this.workload = workload;
      this.itemBytes = itemBytes;
      this.thinkNanos = thinkNanos;
      this.readers = readers;
    }

    private ReadTrace trace(int items, int passes, long seed) {
      return ReadTrace.all(items, passes, SeededNumbers.derive(seed, number)).stream()
          .filter(trace -> trace.name().equals(workload))
          .findFirst()
          .orElseThrow();
    }

    private ReadJob reads(ReadTrace trace) {
      SortedMap<String, Long> files = new TreeMap<>();
      for (int item = 0; item < trace.items(); item++) {
        files.put(String.format(Locale.ROOT, "%07d", item), itemBytes);
      }
      return new ReadJob(
          number,
          new StoredFiles(files),
          trace.reads(),
          new int[trace.reads().length],
          readers * thinkNanos,
          readers,
          true);
    }

    private Row row(ReadTrace trace, List<PatternChange> changes, Policy policy) {
      ReadJob reads = reads(trace);
      long capacity = Math.round(FRACTION * trace.items()) * itemBytes;
      JobRun.Result result = JobRun.of(reads, policy.cache(trace, changes, capacity));
      String pattern = workload.equals("random") ? "random" : "skewed";
      return new Row(number, pattern, policy.text(), result.seconds(), result.hitRatio());
    }
  }

  /**
   * Runs all jobs with all rules.
   *
   * @param items items of each data set
   * @param passes reads per item
   */
  public static List<Row> run(int items, int passes, long seed, Runs.Listener progress) {
    List<Row> rows = new ArrayList<>();
    AtomicInteger done = new AtomicInteger();
    int all = Job.values().length * COMPARED.size();
    for (Job job : Job.values()) {
      ReadTrace trace = job.trace(items, passes, seed);
      List<PatternChange> changes = PatternChange.in(trace);
      rows.addAll(
          COMPARED.parallelStream()
              .map(policy -> {
                Row row = job.row(trace, changes, policy);
                synchronized (done) {
                  progress.step(done.incrementAndGet(), all);
                }
                return row;
              })
              .toList());
    }
    return rows;
  }
}
