package io.quiver.core.stream.pattern;

import java.util.Arrays;

/**
 * Tests if items are read in order.
 *
 * <p>One reader at a time: nearly all of its steps are 1 to 4 items forward. Readers that cannot be
 * told apart: of two items next to each other the first was read first. In any order that is drawn,
 * uniform or skewed, that holds for half of the neighbours, with a deviation of √(n/12); so it
 * finds up to 32 mixed runs in 100 reads, and scans that leave out items.
 */
final class RunTest {
  /** The longest step of a run, in items. */
  private static final int LONGEST_STEP = 4;

  private final OrderedReads reads;

  RunTest(OrderedReads reads) {
    this.reads = reads;
  }

  /**
   * Returns the share of steps that go forward by 1 to 4 items, each from a reader's read to its
   * next; 0 if most reads are the only ones of their readers.
   */
  double steps() {
    int steps = 0;
    int forward = 0;
    for (int read = 0; read < reads.size(); read++) {
      int before = reads.previousOfReader(read);
      if (before >= 0) {
        long step = (long) reads.items[read] - reads.items[before];
        steps++;
        forward += step >= 1 && step <= LONGEST_STEP ? 1 : 0;
      }
    }
    return 2 * steps >= reads.size() ? (double) forward / steps : 0;
  }

  /**
   * Returns the share of neighbours of which the first was read first, among those that lie close;
   * 0 if many items have no close neighbour.
   *
   * @param near the share of items that must have one
   */
  double ordered(double near) {
    long reach = reach();
    int[] items = reads.distinct;
    int pairs = 0;
    int forward = 0;
    int joined = 0;
    boolean wasClose = false;
    for (int at = 1; at < items.length; at++) {
      boolean close = (long) items[at] - items[at - 1] <= reach;
      if (close) {
        pairs++;
        joined += wasClose ? 1 : 2;
        forward += reads.firstReads[at - 1] < reads.firstReads[at] ? 1 : 0;
      }
      wasClose = close;
    }
    return pairs > 0 && joined >= near * items.length ? (double) forward / pairs : 0;
  }

  /** Returns the distance at which neighbours are close: four usual distances. */
  long reach() {
    int[] items = reads.distinct;
    if (items.length < 2) {
      return 0;
    }
    long[] distances = new long[items.length - 1];
    for (int at = 1; at < items.length; at++) {
      distances[at - 1] = (long) items[at] - items[at - 1];
    }
    Arrays.sort(distances);
    return LONGEST_STEP * distances[(distances.length - 1) / 2];
  }
}
