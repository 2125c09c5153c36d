package io.quiver.core.stream;

/**
 * Tests if reads move through the items in some disorder, as those of a sequence whose blocks are
 * shuffled. Moving means that place and time go together; within each cluster of items if there are
 * several. Narrow means that reads next to each other in time lie within a small part of all items,
 * which uniform reads never do.
 */
final class MovingWindowTest {
  /** Reads of which the spread is looked at. */
  private static final int STRETCH = 10;

  /** Reads that lie within this part of all items are narrow. */
  private static final int NARROW_PART = 4;

  private final ReadOrder reads;

  MovingWindowTest(ReadOrder reads) {
    this.reads = reads;
  }

  /** Returns true if most stretches of reads lie within a quarter of the items. */
  boolean isNarrow() {
    int stretches = reads.size() / STRETCH;
    if (!reads.populationKnown || stretches == 0) {
      return false;
    }
    int narrow = 0;
    for (int stretch = 0; stretch < stretches; stretch++) {
      int least = Integer.MAX_VALUE;
      int most = 0;
      for (int read = stretch * STRETCH; read < (stretch + 1) * STRETCH; read++) {
        least = Math.min(least, reads.items[read]);
        most = Math.max(most, reads.items[read]);
      }
      narrow += most - least < reads.population / NARROW_PART ? 1 : 0;
    }
    return 4 * narrow >= 3 * stretches;
  }

  /**
   * Returns the correlation of place and time of the first reads, within clusters of items that lie
   * close; between -1 and 1.
   */
  double movement() {
    int[] items = reads.distinct;
    long reach = RunTest.reach(reads);
    double together = 0;
    double places = 0;
    double times = 0;
    int from = 0;
    for (int at = 1; at <= items.length; at++) {
      if (at == items.length || (long) items[at] - items[at - 1] > reach) {
        double meanPlace = (from + at - 1) / 2.0;
        double meanTime = meanTime(from, at);
        for (int item = from; item < at; item++) {
          double place = item - meanPlace;
          double time = reads.firstReads[item] - meanTime;
          together += place * time;
          places += place * place;
          times += time * time;
        }
        from = at;
      }
    }
    double scale = Math.sqrt(places * times);
    return scale > 0 ? together / scale : 0;
  }

  private double meanTime(int from, int until) {
    long sum = 0;
    for (int item = from; item < until; item++) {
      sum += reads.firstReads[item];
    }
    return (double) sum / (until - from);
  }
}
