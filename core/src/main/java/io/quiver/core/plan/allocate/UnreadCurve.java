package io.quiver.core.plan.allocate;

import java.util.Arrays;

/**
 * The share of a tenant's reads that still go to the store, for each number of equal steps of its
 * data that the cache holds. Pure functions make the curves of each kind of tenant.
 */
public final class UnreadCurve {
  private static final double EXACT = 1e-9;

  private final double[] unread;

  private UnreadCurve(double[] unread) {
    this.unread = unread;
  }

  /**
   * Returns the curve of a data set in chunks: 1 − (k − w)/C where several jobs share a ring of w
   * chunks, and 1 − k/C where nothing rotates.
   *
   * @param window how many chunks rotate
   * @param shared whether several jobs read the data set
   */
  public static UnreadCurve ring(int chunks, int window, boolean shared) {
    double[] unread = new double[chunks + 1];
    for (int held = 0; held <= chunks; held++) {
      boolean rotates = shared && held >= window && held < chunks;
      unread[held] = 1 - (double) (rotates ? held - window : held) / chunks;
    }
    return new UnreadCurve(unread);
  }

  /** Returns the curve of uniformly random reads: a share c of the data hits c. */
  public static UnreadCurve random(int steps) {
    return ring(steps, steps, false);
  }

  /** Returns the curve of a sequential stream: no number of bytes makes any read a hit. */
  public static UnreadCurve sequential(int steps) {
    double[] unread = new double[steps + 1];
    Arrays.fill(unread, 1);
    return new UnreadCurve(unread);
  }

  /**
   * Returns the curve of skewed reads, as ghosts of a keeper have counted them.
   *
   * @param hits for each number of steps from none to all, how many reads a cache of that size
   *     would have hit
   * @param reads how many reads there were
   */
  public static UnreadCurve skewed(long[] hits, long reads) {
    double[] unread = new double[hits.length];
    double least = 1;
    for (int held = 0; held < hits.length; held++) {
      double missed = reads == 0 ? 1 : 1 - (double) hits[held] / reads;
      least = Math.clamp(missed, 0, least);
      unread[held] = least;
    }
    return new UnreadCurve(unread);
  }

  /**
   * Returns the curve of a known list with repeats that is read again and again: one pass over the
   * stack distances. It holds for a cache that forgets what was used least recently; one that knows
   * the next uses reads no more.
   *
   * @param list the items in the order they are read, numbered from 0
   * @param items how many items there are
   */
  public static UnreadCurve list(int[] list, int items, int steps) {
    long[] reuses = new long[items + 1];
    int[] latest = new int[items];
    Arrays.fill(latest, -1);
    MarkedPlaces marked = new MarkedPlaces(2 * list.length);
    for (int place = 0; place < 2 * list.length; place++) {
      int item = list[place % list.length];
      if (latest[item] >= 0) {
        int distance = marked.after(latest[item]);
        reuses[distance + 1] += place >= list.length ? 1 : 0;
        marked.add(latest[item], -1);
      }
      marked.add(place, 1);
      latest[item] = place;
    }
    long[] hits = new long[steps + 1];
    for (int held = 1, size = 1; held <= steps; held++) {
      hits[held] = hits[held - 1];
      for (; size <= (long) items * held / steps; size++) {
        hits[held] += reuses[size];
      }
    }
    return skewed(hits, list.length);
  }

  /** Counts marked places of a list after a given one (a Fenwick tree). */
  private static final class MarkedPlaces {
    private final int[] sums;
    private int total;

    MarkedPlaces(int places) {
      this.sums = new int[places + 1];
    }

    void add(int place, int change) {
      total += change;
      for (int at = place + 1; at < sums.length; at += at & -at) {
        sums[at] += change;
      }
    }

    int after(int place) {
      int before = 0;
      for (int at = place + 1; at > 0; at -= at & -at) {
        before += sums[at];
      }
      return total - before;
    }
  }

  /** Returns the number of steps that make up all of the data. */
  public int steps() {
    return unread.length - 1;
  }

  /** Returns the share of reads that go to the store with so many steps held. */
  public double at(int held) {
    return unread[held];
  }

  /** Returns true if part of what is held is in motion: less is spared than bytes are held. */
  boolean liesAboveDiagonal(int held) {
    return unread[held] > 1 - (double) held / steps() + EXACT;
  }
}
