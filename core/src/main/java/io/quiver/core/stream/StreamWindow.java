package io.quiver.core.stream;

import io.quiver.core.bound.Bounds;

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
              + " readers and ages_millis of "
              + agesMillis.length
              + " reads; it needs one of each for a read");
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
}
