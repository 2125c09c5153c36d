package io.quiver.core.stream.pattern;

/**
 * Tests if reads move through the items in some disorder, as those of a sequence whose blocks are
 * shuffled: place and time of the reads go together.
 *
 * <p>Narrow means that reads next to each other in time lie within a small part of all items, which
 * uniform reads never do. Then a small movement is enough; without any, the part may as well be a
 * popular one. Several windows may move at the same time: then each is narrow, and moves. A scan
 * that begins again has two windows, one after the other.
 */
final class MovingWindowTest {
  /** Reads of which the spread is looked at. */
  private static final int STRETCH = 10;

  /** Reads that lie within this part of all items are narrow. */
  private static final int NARROW_PART = 4;

  /** The share of stretches that are narrow; a few reads may lie elsewhere. */
  private static final double NARROW_SHARE = 0.75;

  /** The share of items that lie close to others, if there are several windows. */
  private static final double JOINED = 0.8;

  /** The correlation of place and time that shows movement by itself. */
  private static final double MOVING = 0.7;

  /** The deviations of the correlation that show movement by itself; for few items. */
  private static final double MOVING_DEVIATIONS = 4;

  /** The deviations of the correlation that show movement of a narrow window. */
  private static final double NARROW_DEVIATIONS = 3.3;

  private final OrderedReads reads;
  private final long reach;
  private final boolean narrow;

  /**
   * Prepares the test.
   *
   * @param reach places farther apart than this belong to different windows
   */
  MovingWindowTest(OrderedReads reads, long reach) {
    this.reads = reads;
    this.reach = reach;
    this.narrow = isNarrow();
  }

  /** Returns the correlation that shows movement. */
  double threshold() {
    double root = Math.sqrt(Math.max(1, reads.distinct.length - 1));
    return narrow
        ? Math.min(MOVING, NARROW_DEVIATIONS / root)
        : Math.max(MOVING, MOVING_DEVIATIONS / root);
  }

  /** Returns true if most stretches of reads lie within a quarter of the items. */
  private boolean isNarrow() {
    int stretches = reads.size() / STRETCH;
    if (!reads.populationKnown) {
      return false;
    }
    int count = 0;
    for (int stretch = 0; stretch < stretches; stretch++) {
      int least = Integer.MAX_VALUE;
      int most = 0;
      for (int read = stretch * STRETCH; read < (stretch + 1) * STRETCH; read++) {
        least = Math.min(least, reads.items[read]);
        most = Math.max(most, reads.items[read]);
      }
      count += most - least < reads.population / NARROW_PART ? 1 : 0;
    }
    return stretches > 0 && count >= NARROW_SHARE * stretches;
  }

  /** Returns true if reads next to each other in time lie within a small part of all items. */
  boolean narrow() {
    return narrow;
  }

  /**
   * Returns the correlation of place and time of first reads, forward or backward: of all, or
   * within each of several windows that are narrow together, if that is larger.
   */
  double movement() {
    double whole = Math.abs(new Correlation(Long.MAX_VALUE).value());
    Correlation apart = new Correlation(reach);
    boolean windows =
        reads.populationKnown
            && apart.joined >= JOINED * reads.distinct.length
            && apart.spans < reads.population / NARROW_PART;
    return windows ? Math.max(whole, Math.abs(apart.value())) : whole;
  }

  /** The correlation of place and time within clusters of items that lie close. */
  private final class Correlation {
    private double together;
    private double places;
    private double times;
    private long spans;
    private int joined;

    Correlation(long apart) {
      int[] items = reads.distinct;
      int from = 0;
      for (int at = 1; at <= items.length; at++) {
        if (at == items.length || (long) items[at] - items[at - 1] > apart) {
          add(from, at);
          from = at;
        }
      }
    }

    private void add(int from, int until) {
      long sum = 0;
      for (int item = from; item < until; item++) {
        sum += reads.firstReads[item];
      }
      double meanTime = (double) sum / (until - from);
      double meanPlace = (from + until - 1) / 2.0;
      for (int item = from; item < until; item++) {
        double place = item - meanPlace;
        double time = reads.firstReads[item] - meanTime;
        together += place * time;
        places += place * place;
        times += time * time;
      }
      joined += until - from > 1 ? until - from : 0;
      spans += (long) reads.distinct[until - 1] - reads.distinct[from];
    }

    /** Returns a number between -1 and 1. */
    double value() {
      double scale = Math.sqrt(places * times);
      return scale > 0 ? together / scale : 0;
    }
  }
}
