package io.quiver.simulator.igt.pattern;

import java.util.random.RandomGenerator;

/** Draws an order of items. */
final class Shuffle {
  private Shuffle() {}

  /** Returns the numbers below a count, each once, in an order that is drawn. */
  static int[] of(int count, RandomGenerator random) {
    int[] order = new int[count];
    for (int next = 0; next < count; next++) {
      int other = random.nextInt(next + 1);
      order[next] = order[other];
      order[other] = next;
    }
    return order;
  }
}
