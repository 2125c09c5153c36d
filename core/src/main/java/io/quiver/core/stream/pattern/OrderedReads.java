package io.quiver.core.stream.pattern;

import io.quiver.core.stream.StreamWindow;
import java.util.Arrays;

/**
 * The reads of a window, prepared for tests: the different items are sorted, and reads that repeat
 * the one before may be dropped, so that a file that is read in pieces counts once.
 */
final class OrderedReads {
  /** The number of the item of each read, in the order of time. */
  final int[] items;

  /** The reader of each read. */
  final int[] readers;

  /** The rank of each read's item among the different items. */
  final int[] ranks;

  /** The different items, sorted. */
  final int[] distinct;

  /** The place in time of the first read of each different item. */
  final int[] firstReads;

  /** The number of items; of those seen, if nobody knows. */
  final int population;

  /** True if the window says how many items there are and its reads do not contradict. */
  final boolean populationKnown;

  private final int[] previousBySameReader;

  private OrderedReads(int[] items, int[] readers, int population) {
    this.items = items;
    this.readers = readers;
    this.previousBySameReader = previous(readers);
    int size = items.length;
    this.ranks = new int[size];
    long[] sorted = keyed(items);
    int[] values = new int[size];
    int[] firsts = new int[size];
    int count = 0;
    for (long key : sorted) {
      int value = (int) (key >> 32);
      int place = (int) key;
      if (count == 0 || values[count - 1] != value) {
        values[count] = value;
        firsts[count] = place;
        count++;
      }
      ranks[place] = count - 1;
    }
    this.distinct = Arrays.copyOf(values, count);
    this.firstReads = Arrays.copyOf(firsts, count);
    this.populationKnown =
        population > 0 && (count == 0 || (distinct[0] >= 0 && distinct[count - 1] < population));
    this.population = populationKnown ? population : count;
  }

  /** Prepares a window with all of its reads. */
  static OrderedReads every(StreamWindow window) {
    return new OrderedReads(window.indices(), window.readers(), window.population());
  }

  /** Prepares a window without reads that repeat the one before. */
  static OrderedReads of(StreamWindow window) {
    return collapsed(window.indices(), window.readers(), window.population(), 1);
  }

  /** Returns a copy in which items that were read at most so many reads before are dropped. */
  OrderedReads withoutBursts(int reach) {
    return collapsed(items, readers, populationKnown ? population : 0, reach);
  }

  /**
   * Drops each read of an item that was among the latest reads of all readers, or was the latest of
   * its own reader.
   */
  private static OrderedReads collapsed(int[] items, int[] readers, int population, int reach) {
    int[] own = previous(readers);
    int[] before = previous(items);
    int[] keptItems = new int[items.length];
    int[] keptReaders = new int[items.length];
    int kept = 0;
    for (int read = 0; read < items.length; read++) {
      boolean again = before[read] >= 0 && read - before[read] <= reach;
      boolean ownAgain = own[read] >= 0 && items[own[read]] == items[read];
      if (!again && !ownAgain) {
        keptItems[kept] = items[read];
        keptReaders[kept] = readers[read];
        kept++;
      }
    }
    return new OrderedReads(
        Arrays.copyOf(keptItems, kept), Arrays.copyOf(keptReaders, kept), population);
  }

  /** Returns the number of reads that count. */
  int size() {
    return items.length;
  }

  /** Returns the place of the read before by the same reader; -1 for its first. */
  int previousOfReader(int read) {
    return previousBySameReader[read];
  }

  /** Returns values with their places in time, sorted by value, then by time. */
  private static long[] keyed(int[] values) {
    long[] keys = new long[values.length];
    for (int place = 0; place < values.length; place++) {
      keys[place] = (long) values[place] << 32 | place;
    }
    Arrays.sort(keys);
    return keys;
  }

  /** Returns for each place the one before with an equal value; -1 if there is none. */
  private static int[] previous(int[] values) {
    int[] before = new int[values.length];
    Arrays.fill(before, -1);
    long[] keys = keyed(values);
    for (int at = 1; at < keys.length; at++) {
      if (keys[at - 1] >> 32 == keys[at] >> 32) {
        before[(int) keys[at]] = (int) keys[at - 1];
      }
    }
    return before;
  }
}
