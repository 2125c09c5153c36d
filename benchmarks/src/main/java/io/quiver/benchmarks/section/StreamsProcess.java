package io.quiver.benchmarks.section;

import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.ListedPage;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.tree.AccessStreams;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Has a full tree of streams note reads as a door does, and prints in one line: microseconds of
 * processor time per read, milliseconds of the longest batch, streams, megabytes of heap of the
 * tree without names, megabytes of tree and names as it tells them and of the heap, megabytes of
 * heap of a listing of a million files. Arguments: how many reads, the seed.
 */
public final class StreamsProcess {
  private static final int BATCH = 256;
  private static final int MOST_ADVICES = 32;
  private static final int SUMMARIES = 64;
  private static final int HEARTBEAT_BATCHES = 40;
  private static final int LISTED = 1_000_000;
  private static final int PAGE = 1000;
  private static final long READ_NANOS = 100_000;
  private static final double MEGA = 1e6;

  private final AccessStreams streams =
      new AccessStreams(
          StreamRules.STANDARD, path -> String.format("%016x", (long) path.hashCode()));
  private final StreamsLoad load;
  private long nanos;
  private long longestNanos;

  private StreamsProcess(long seed) {
    load = new StreamsLoad(new SplittableRandom(seed));
  }

  /** Runs the process. */
  public static void main(String[] arguments) {
    int reads = Integer.parseInt(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    double listing = listingMegabytes();
    // Whatever is loaded or made once must not count as memory of the tree.
    new StreamsProcess(seed).note(reads / 2);
    double before = heapUsed();
    StreamsProcess process = new StreamsProcess(seed);
    process.note(reads / 2);
    process.longestNanos = 0;
    double micros = process.note(reads) / 1e3;
    int nodes = process.streams.nodes();
    double told = (process.streams.treeBytes() + process.streams.listingBytes()) / MEGA;
    double used = (heapUsed() - before) / MEGA;
    double names = process.streams.listingBytes() / MEGA;
    System.out.printf(
        Locale.ROOT,
        "%.3f %.2f %d %.2f %.2f %.2f %.1f%n",
        micros,
        process.longestNanos / MEGA,
        nodes,
        used - names,
        told,
        used,
        listing);
    System.out.flush();
  }

  /** Notes reads in batches; returns the nanoseconds of processor time for one. */
  private double note(int reads) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long all = 0;
    for (int batch = 0; batch < reads / BATCH; batch++) {
      List<BlockAccess> accesses = new ArrayList<>(BATCH);
      for (int read = 0; read < BATCH; read++) {
        nanos += READ_NANOS;
        accesses.add(load.next(nanos));
      }
      long start = threads.getCurrentThreadCpuTime();
      accesses.forEach(streams::read);
      streams.placements();
      for (PrefetchAdvice advice : streams.advise(MOST_ADVICES, nanos)) {
        streams.ended(advice, Outcome.FETCHED);
      }
      if (batch % HEARTBEAT_BATCHES == 0) {
        streams.summaries(SUMMARIES, nanos);
      }
      long took = threads.getCurrentThreadCpuTime() - start;
      longestNanos = Math.max(longestNanos, took);
      all += took;
    }
    return (double) all / reads;
  }

  private static double listingMegabytes() {
    double before = heapUsed();
    AccessStreams listed = new AccessStreams(StreamRules.STANDARD, path -> path);
    for (int from = 0; from < LISTED; from += PAGE) {
      List<String> names =
          IntStream.range(from, from + PAGE)
              .mapToObj(file -> String.format("ILSVRC2012_train_%08d.JPEG", file))
              .toList();
      long[] bytes = IntStream.range(0, PAGE).mapToLong(file -> 110_000 + file).toArray();
      listed.listed("train", new ListedPage(names, bytes, from == 0, from + PAGE == LISTED));
    }
    double used = (heapUsed() - before) / MEGA;
    if (listed.listingBytes() < LISTED) {
      throw new IllegalStateException("the listing was forgotten");
    }
    return used;
  }

  private static double heapUsed() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
