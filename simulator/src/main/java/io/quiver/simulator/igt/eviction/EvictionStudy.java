package io.quiver.simulator.igt.eviction;

import io.quiver.core.keep.KeeperKind;
import io.quiver.simulator.engine.SeededNumbers;
import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.keep.ArcCache;
import io.quiver.simulator.keep.Evicting;
import io.quiver.simulator.keep.FifoCache;
import io.quiver.simulator.keep.KeeperCache;
import io.quiver.simulator.keep.LfuCache;
import io.quiver.simulator.keep.MinCache;
import io.quiver.simulator.keep.SieveCache;
import io.quiver.simulator.keep.TwoRandomCache;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Lets traces of reads pass through caches: rules of eviction by workload and size of the cache.
 * Reads that fill the caches do not count.
 */
public final class EvictionStudy {
  /** The sizes of the cache, as shares of the data. */
  public static final List<Double> FRACTIONS = List.of(0.1, 0.25, 0.5, 0.75);

  /** Items of a data set that tell the policies apart. */
  public static final int ITEMS = 10_000;

  /** Reads per item. */
  public static final int PASSES = 8;

  private EvictionStudy() {}

  /**
   * The result of a policy.
   *
   * @param workload name of the trace
   * @param cacheFraction size of the cache, as a share of the data
   * @param policy its name
   * @param hitRatio share of the counted reads that the cache answered
   */
  public record Row(String workload, double cacheFraction, String policy, double hitRatio) {}

  /** The rules of eviction, by the names that tables have. */
  public enum Policy {
    LRU,
    FIFO,
    /** The rule of JuiceFS. */
    TWO_RANDOM,
    LFU,
    ARC,
    SIEVE,
    /** Evicts nothing. */
    UNIFORM,
    /** The keeper of skewed streams, whatever the stream is. */
    FIFO3,
    /** The keeper that the plan orders for what a door recognises. */
    QUIVER,
    /** The best there is, which knows all reads to come. */
    MIN;

    /** Returns the name in tables and documents. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Evicting cache(ReadTrace trace, List<PatternChange> changes, long capacity) {
      return switch (this) {
        case LRU -> new KeeperCache(KeeperKind.RECENT, capacity);
        case FIFO -> new FifoCache(capacity);
        case TWO_RANDOM -> new TwoRandomCache(capacity, SeededNumbers.of(1, trace.name()));
        case LFU -> new LfuCache(capacity);
        case ARC -> new ArcCache(capacity);
        case SIEVE -> new SieveCache(capacity);
        case UNIFORM -> new KeeperCache(KeeperKind.UNIFORM, capacity);
        case FIFO3 -> new KeeperCache(KeeperKind.FIFO3, capacity);
        case QUIVER -> new StreamSpace(capacity, changes);
        case MIN -> new MinCache(capacity, trace.items(), trace.reads());
      };
    }
  }

  /** Runs all policies on all workloads with caches of all sizes. */
  public static List<Row> run(long seed, Runs.Listener progress) {
    return run(ITEMS, PASSES, seed, progress);
  }

  /**
   * Runs all policies on traces of another size.
   *
   * @param items items of each data set
   * @param passes reads per item
   */
  public static List<Row> run(int items, int passes, long seed, Runs.Listener progress) {
    List<ReadTrace> traces = ReadTrace.all(items, passes, seed);
    AtomicInteger done = new AtomicInteger();
    return traces.parallelStream()
        .map(trace -> {
          List<Row> rows = rows(trace);
          synchronized (done) {
            progress.step(done.incrementAndGet(), traces.size());
          }
          return rows;
        })
        .flatMap(List::stream)
        .toList();
  }

  private static List<Row> rows(ReadTrace trace) {
    List<PatternChange> changes = PatternChange.in(trace);
    return FRACTIONS.stream()
        .flatMap(fraction ->
            Stream.of(Policy.values()).map(policy -> row(trace, changes, fraction, policy)))
        .toList();
  }

  private static Row row(
      ReadTrace trace, List<PatternChange> changes, double fraction, Policy policy) {
    Evicting cache = policy.cache(trace, changes, Math.round(fraction * trace.items()));
    int hits = 0;
    for (int i = 0; i < trace.reads().length; i++) {
      boolean hit = cache.read(trace.reads()[i], 1);
      hits += hit && i >= trace.counted() ? 1 : 0;
    }
    double counted = trace.reads().length - trace.counted();
    return new Row(trace.name(), fraction, policy.text(), hits / counted);
  }
}
