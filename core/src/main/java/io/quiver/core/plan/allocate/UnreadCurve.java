package io.quiver.core.plan.allocate;

import java.util.Arrays;
import java.util.List;

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
   * Returns the mean of curves that jobs have worked out of the lists they read.
   *
   * @param curves each for as many steps as the others, from none held to all
   */
  public static UnreadCurve mean(List<List<Double>> curves) {
    double[] unread = new double[curves.getFirst().size()];
    double least = 1;
    for (int held = 0; held < unread.length; held++) {
      int at = held;
      double mean = curves.stream().mapToDouble(curve -> curve.get(at)).average().orElse(1);
      least = Math.clamp(mean, 0, least);
      unread[held] = least;
    }
    return new UnreadCurve(unread);
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
