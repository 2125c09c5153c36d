package io.quiver.core.stream;

import io.quiver.core.bound.Bounds;
import java.util.Arrays;
import java.util.List;

/**
 * The latest reads of a stream: the input of recognition, and what doors send so that the manager
 * can put together what each of them has seen a part of. Arrays are not copied; nobody changes
 * them.
 *
 * @param indexing the rule by which items were numbered; windows are merged under one rule only
 * @param population how many items there are; 0 while unknown
 * @param indices the number of each item, oldest read first
 * @param readers who read it; numbers mean something within one window only
 * @param agesMillis how long before the report each read was
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StreamWindow(
    Indexing indexing, int population, int[] indices, int[] readers, int[] agesMillis) {
  /** Most reads in a window that is sent. */
  public static final int MOST_SENT = 100;

  private static final double MILLIS_PER_SECOND = 1e3;

  /** Rules by which the items of a stream are numbered. */
  public enum Indexing {
    /** By place in the sorted listing of their directory, or by block number. */
    LISTED,
    /** By the number in their names (IGTCache, footnote 4). */
    NAMED,
    /** By rank among the names seen so far. */
    SEEN
  }

  /** Refuses what cannot be. */
  public StreamWindow {
    Bounds.present("indexing", indexing);
    Bounds.whole("population", population, 0, Integer.MAX_VALUE);
    int size = Bounds.present("indices", indices).length;
    if (Bounds.present("readers", readers).length != size
        || Bounds.present("ages_millis", agesMillis).length != size) {
      throw new IllegalArgumentException(
          "a window of "
              + size
              + " indices with "
              + readers.length
              + " readers and "
              + agesMillis.length
              + " ages; it needs one of each for a read");
    }
  }

  /** Returns the number of reads. */
  public int size() {
    return indices.length;
  }

  /** Returns a copy as of so many seconds later. */
  public StreamWindow after(double seconds) {
    long millis = (long) Math.min(Integer.MAX_VALUE, seconds * MILLIS_PER_SECOND);
    int[] ages = new int[agesMillis.length];
    for (int read = 0; read < ages.length; read++) {
      ages[read] = Math.clamp(agesMillis[read] + millis, 0, Integer.MAX_VALUE);
    }
    return new StreamWindow(indexing, population, indices, readers, ages);
  }

  /**
   * Returns the reads of several windows, which number items alike, in the order of their ages. The
   * order within each window stays. Reads of one age come in turn, one of each window, in the order
   * of the windows: an order by items would make runs where there are none. Readers of different
   * windows are told apart.
   */
  static StreamWindow merged(List<StreamWindow> windows) {
    int size = 0;
    int longest = 0;
    for (StreamWindow window : windows) {
      size += window.size();
      longest = Math.max(longest, window.size());
    }
    int[] items = new int[size];
    int[] who = new int[size];
    int[] when = new int[size];
    long[] keys = new long[size];
    int[] youngest = new int[windows.size()];
    Arrays.fill(youngest, Integer.MAX_VALUE);
    int[][] known = new int[windows.size()][];
    int[] before = new int[windows.size()];
    for (int each = 0; each < known.length; each++) {
      known[each] = Arrays.stream(windows.get(each).readers).sorted().distinct().toArray();
      before[each] = each == 0 ? 0 : before[each - 1] + known[each - 1].length;
    }
    int count = 0;
    for (int turn = 0; turn < longest; turn++) {
      for (int each = 0; each < known.length; each++) {
        StreamWindow window = windows.get(each);
        if (turn < window.size()) {
          youngest[each] = Math.clamp(window.agesMillis[turn], 0, youngest[each]);
          items[count] = window.indices[turn];
          who[count] = before[each] + Arrays.binarySearch(known[each], window.readers[turn]);
          when[count] = window.agesMillis[turn];
          keys[count] = ((long) Integer.MAX_VALUE - youngest[each]) << 32 | count;
          count++;
        }
      }
    }
    Arrays.sort(keys);
    StreamWindow first = windows.getFirst();
    return new StreamWindow(
        first.indexing,
        first.population,
        picked(items, keys),
        picked(who, keys),
        picked(when, keys));
  }

  private static int[] picked(int[] values, long[] keys) {
    int[] picked = new int[keys.length];
    for (int at = 0; at < keys.length; at++) {
      picked[at] = values[(int) keys[at]];
    }
    return picked;
  }
}
