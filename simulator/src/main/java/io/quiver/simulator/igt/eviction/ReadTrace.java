package io.quiver.simulator.igt.eviction;

import io.quiver.simulator.engine.SeededNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads of the items of one data set, all of the same length. Traces of one size are comparable:
 * each has so many reads per item, and a part at the beginning fills the caches and does not count.
 *
 * @param name the name of the workload in tables
 * @param items how many items there are
 * @param reads the item of each read, in order
 * @param readers who makes each read
 * @param counted the first read that counts
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ReadTrace(String name, int items, int[] reads, int[] readers, int counted) {
  /** Popularity as in the studies of the web: mild, middle and strong. */
  private static final double[] EXPONENTS = {0.8, 1.0, 1.2};

  private static final double MIXED_EXPONENT = 1.0;

  /** The share of the reads that fills caches. */
  private static final int WARMING_PART = 4;

  /** One of the most popular items changes places with any other each time so many were read. */
  private static final int DRIFT_EVERY = 20;

  private static final int DRIFTING_RANKS = 100;

  /** One read of so many belongs to the program that scans. */
  private static final int SCAN_PART = 2;

  private static final int SCANNER = 1;

  /**
   * Makes the traces of all workloads.
   *
   * @param items how many items each has
   * @param passes how many reads there are for each item
   */
  public static List<ReadTrace> all(int items, int passes, long seed) {
    int count = items * passes;
    List<ReadTrace> traces = new ArrayList<>();
    traces.add(of("random", items, epochs(items, passes, numbers(seed, "random"))));
    for (double exponent : EXPONENTS) {
      String name = String.format(Locale.ROOT, "zipf-%.1f", exponent);
      traces.add(of(name, items, steady(items, count, exponent, numbers(seed, name))));
    }
    traces.add(of("drifting", items, drifting(items, count, numbers(seed, "drifting"))));
    traces.add(scanMixed(items, count, numbers(seed, "scan-mixed")));
    int[] inOrder = new int[count];
    for (int i = 0; i < count; i++) {
      inOrder[i] = i;
    }
    traces.add(of("sequential", count, inOrder));
    return traces;
  }

  private static SeededNumbers numbers(long seed, String name) {
    return SeededNumbers.of(seed, name);
  }

  private static ReadTrace of(String name, int items, int[] reads) {
    return of(name, items, reads, new int[reads.length]);
  }

  private static ReadTrace of(String name, int items, int[] reads, int[] readers) {
    // Whole passes, so that the first epoch, of which nobody can hit anything, never counts.
    int counted = reads.length / items / WARMING_PART * items;
    return new ReadTrace(name, items, reads, readers, counted);
  }

  /** Every epoch is a permutation drawn anew: training. */
  private static int[] epochs(int items, int passes, SeededNumbers numbers) {
    int[] reads = new int[items * passes];
    for (int pass = 0; pass < passes; pass++) {
      System.arraycopy(permutation(items, numbers), 0, reads, pass * items, items);
    }
    return reads;
  }

  private static int[] permutation(int items, SeededNumbers numbers) {
    int[] order = new int[items];
    for (int i = 0; i < items; i++) {
      int other = numbers.below(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }

  /** Independent draws of popular items that lie anywhere: queries. */
  private static int[] steady(int items, int count, double exponent, SeededNumbers numbers) {
    ZipfRanks ranks = new ZipfRanks(items, exponent);
    int[] byRank = permutation(items, numbers);
    int[] reads = new int[count];
    for (int i = 0; i < count; i++) {
      reads[i] = byRank[ranks.draw(numbers)];
    }
    return reads;
  }

  private static int[] drifting(int items, int count, SeededNumbers numbers) {
    ZipfRanks ranks = new ZipfRanks(items, MIXED_EXPONENT);
    int[] byRank = permutation(items, numbers);
    int[] reads = new int[count];
    for (int i = 0; i < count; i++) {
      if (i % DRIFT_EVERY == 0) {
        int popular = numbers.below(Math.min(items, DRIFTING_RANKS));
        int other = numbers.below(items);
        int item = byRank[popular];
        byRank[popular] = byRank[other];
        byRank[other] = item;
      }
      reads[i] = byRank[ranks.draw(numbers)];
    }
    return reads;
  }

  /** One program draws popular items while another scans the whole data set again and again. */
  private static ReadTrace scanMixed(int items, int count, SeededNumbers numbers) {
    int[] reads = steady(items, count, MIXED_EXPONENT, numbers);
    int[] readers = new int[count];
    int next = 0;
    for (int i = 0; i < count; i++) {
      if (numbers.below(SCAN_PART) == 0) {
        readers[i] = SCANNER;
        reads[i] = next;
        next = (next + 1) % items;
      }
    }
    return of("scan-mixed", items, reads, readers);
  }
}
