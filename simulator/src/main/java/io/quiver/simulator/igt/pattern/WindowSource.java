package io.quiver.simulator.igt.pattern;

import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.StreamWindow.Indexing;
import io.quiver.simulator.igt.pattern.ReadSource.Read;
import java.util.BitSet;
import java.util.random.RandomGenerator;

/** Makes windows of a workload's reads, one after the other, as a door has them. */
final class WindowSource {
  private static final int MILLIS_PER_READ = 10;

  private final KnownReads workload;
  private final ReadSource reads;
  private final BitSet seen = new BitSet();

  /** Begins the reads. */
  WindowSource(KnownReads workload, RandomGenerator random) {
    this.workload = workload;
    this.reads = workload.start().apply(random);
  }

  /** Returns the next reads. */
  StreamWindow next(int size) {
    int[] items = new int[size];
    int[] readers = new int[size];
    int[] ages = new int[size];
    for (int at = 0; at < size; at++) {
      Read read = reads.next();
      items[at] = read.item();
      readers[at] = read.reader();
      ages[at] = (size - 1 - at) * MILLIS_PER_READ;
      seen.set(read.item());
    }
    return workload.listed()
        ? new StreamWindow(Indexing.LISTED, workload.items(), items, readers, ages)
        : new StreamWindow(Indexing.SEEN, seen.cardinality(), ranked(items), readers, ages);
  }

  /** Returns the ranks of items among all that were seen. */
  private int[] ranked(int[] items) {
    int[] ranks = new int[workload.items()];
    int rank = 0;
    for (int item = seen.nextSetBit(0); item >= 0; item = seen.nextSetBit(item + 1)) {
      ranks[item] = rank++;
    }
    int[] ranked = new int[items.length];
    for (int at = 0; at < items.length; at++) {
      ranked[at] = ranks[items[at]];
    }
    return ranked;
  }
}
