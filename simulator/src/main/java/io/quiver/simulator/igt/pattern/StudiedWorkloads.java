package io.quiver.simulator.igt.pattern;

import static io.quiver.simulator.igt.pattern.KnownReads.random;
import static io.quiver.simulator.igt.pattern.KnownReads.sequential;
import static io.quiver.simulator.igt.pattern.KnownReads.skewed;

import io.quiver.simulator.igt.pattern.MixedReads.Turns;
import io.quiver.simulator.igt.pattern.ZipfReads.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The workloads on which recognition is measured: every pattern in the forms it has in practice.
 */
final class StudiedWorkloads {
  /** The number of items, where a workload's name does not say another. */
  static final int ITEMS = 20_000;

  private static final List<Double> EXPONENTS = List.of(0.6, 0.8, 1.0, 1.2);
  private static final List<Integer> JOBS = List.of(1, 2, 4, 8, 16);
  private static final List<Integer> READERS = List.of(1, 2, 4, 8, 16, 32);
  private static final List<Integer> BUFFERS = List.of(16, 64, 256);
  private static final int FEW_ITEMS = 10;
  private static final int SMALL = 365;
  private static final int PIECES = 4;
  private static final int PIECED_JOBS = 4;
  private static final int DOORS = 8;

  private StudiedWorkloads() {}

  /** Returns all of them. */
  static List<KnownReads> all() {
    List<KnownReads> all = new ArrayList<>(queries());
    all.addAll(training());
    all.addAll(scans());
    return all;
  }

  private static List<KnownReads> queries() {
    List<KnownReads> all = new ArrayList<>();
    for (double exponent : EXPONENTS) {
      for (Layout layout : Layout.values()) {
        String name = "zipf-" + exponent + "-" + layout.name().toLowerCase(Locale.ROOT);
        all.add(skewed(name, ITEMS, random -> new ZipfReads(ITEMS, exponent, layout, random)));
      }
    }
    Function<RandomGenerator, ReadSource> tables =
        random -> new ZipfReads(ITEMS, 1, Layout.SCATTERED, random);
    all.add(skewed("zipf-1.0", ITEMS, tables).unlisted());
    all.add(
        skewed("pieces-zipf-1.0", ITEMS, random -> new PieceReads(tables.apply(random), PIECES)));
    return all;
  }

  private static List<KnownReads> training() {
    List<KnownReads> all = new ArrayList<>();
    for (int jobs : JOBS) {
      String name = "uniform-" + jobs + (jobs == 1 ? "-job" : "-jobs");
      all.add(random(name, ITEMS, random -> jobs(jobs, ITEMS, 1, random)));
    }
    Function<RandomGenerator, ReadSource> drawn = random -> new ZipfReads(ITEMS, random);
    all.add(random("uniform-draws", ITEMS, drawn));
    all.add(random("uniform-1-job", ITEMS, random -> jobs(1, ITEMS, 1, random)).unlisted());
    all.add(random("pieces-uniform-1-job", ITEMS, random -> jobs(1, ITEMS, PIECES, random)));
    all.add(
        random("pieces-uniform-4-jobs", ITEMS, random -> jobs(PIECED_JOBS, ITEMS, PIECES, random)));
    for (int items : List.of(FEW_ITEMS, SMALL)) {
      all.add(random("uniform-of-" + items, items, random -> new ZipfReads(items, random)));
    }
    all.add(random("loop-of-" + FEW_ITEMS, FEW_ITEMS, random -> new ScanReads(0, FEW_ITEMS, 1, 0)));
    return all;
  }

  private static ReadSource jobs(int jobs, int items, int pieces, RandomGenerator random) {
    List<ReadSource> all =
        IntStream.range(0, jobs)
            .<ReadSource>mapToObj(job -> new PieceReads(new EpochReads(items, random), pieces))
            .toList();
    return new MixedReads(all, Turns.ANY, true, random);
  }

  private static List<KnownReads> scans() {
    List<KnownReads> all = new ArrayList<>();
    for (int readers : READERS) {
      String name = "sequential-" + readers + (readers == 1 ? "-reader" : "-readers");
      all.add(sequential(name, ITEMS, random -> parts(readers, true, random)));
      if (readers > 1) {
        all.add(sequential(name + "-mixed", ITEMS, random -> parts(readers, false, random)));
        all.add(sequential(name + "-sharded", ITEMS, random -> shards(readers, random)));
      }
    }
    for (int buffer : BUFFERS) {
      all.add(
          sequential(
              "shuffled-in-" + buffer,
              ITEMS,
              random -> new BufferedShuffle(ITEMS, buffer, random)));
    }
    all.add(sequential("every-8th", ITEMS, random -> scan(0, ITEMS, DOORS, random)));
    all.add(
        sequential("sequential-1-reader", ITEMS, random -> scan(0, ITEMS, 1, random)).unlisted());
    all.add(
        sequential(
            "pieces-sequential",
            ITEMS,
            random -> new PieceReads(scan(0, ITEMS, 1, random), PIECES)));
    return all;
  }

  /** Begins a scan at a place that is drawn. */
  private static ReadSource scan(int first, int until, int step, RandomGenerator random) {
    return new ScanReads(first, until, step, random.nextInt((until - first) / step));
  }

  /** Returns scans of as many parts of the items as there are readers. */
  private static ReadSource parts(int readers, boolean toldApart, RandomGenerator random) {
    int part = ITEMS / readers;
    List<ReadSource> all =
        IntStream.range(0, readers)
            .mapToObj(reader -> scan(reader * part, (reader + 1) * part, 1, random))
            .toList();
    return new MixedReads(all, Turns.ANY, toldApart, random);
  }

  /** Returns a scan whose items are dealt to readers that cannot be told apart. */
  private static ReadSource shards(int readers, RandomGenerator random) {
    int start = random.nextInt(ITEMS / readers);
    List<ReadSource> all =
        IntStream.range(0, readers)
            .<ReadSource>mapToObj(reader -> new ScanReads(reader, ITEMS, readers, start))
            .toList();
    return new MixedReads(all, Turns.ROUNDS, false, random);
  }
}
