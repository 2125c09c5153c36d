package io.quiver.simulator.igt.pattern;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** A training job: each epoch reads every item once, in an order that is drawn anew. */
final class EpochReads implements ReadSource {
  private final RandomGenerator random;
  // The items of this epoch that were read, in their order, and then all others.
  private final int[] order;
  private int read;
  private int left;

  /** Begins somewhere in an epoch: what is left of it are as many items, drawn of all. */
  EpochReads(int items, RandomGenerator random) {
    this.random = random;
    this.order = new int[items];
    Arrays.setAll(order, item -> item);
    this.left = random.nextInt(1, items + 1);
  }

  @Override
  public Read next() {
    if (left == 0) {
      read = 0;
      left = order.length;
    }
    int place = random.nextInt(read, order.length);
    int item = order[place];
    order[place] = order[read];
    order[read] = item;
    read++;
    left--;
    return new Read(item, 0);
  }
}
