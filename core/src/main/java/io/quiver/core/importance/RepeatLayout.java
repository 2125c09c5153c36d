package io.quiver.core.importance;

import io.quiver.core.order.ItemList;
import io.quiver.core.order.SeededRandom;
import java.util.Arrays;

/**
 * Puts the samples of an epoch in order: samples at random, the repeats of a sample a few batches
 * apart. A repeat then finds its sample in a small cache, and the model has moved on meanwhile.
 */
public final class RepeatLayout {
  private static final int LEAST_BATCHES = 4;
  private static final int MOST_BATCHES = 12;

  private RepeatLayout() {}

  /**
   * Returns the samples of a list in such an order.
   *
   * @param batch samples of all ranks in one step
   */
  public static ItemList of(ItemList drawn, int batch, long seed) {
    if (batch < 1) {
      throw new IllegalArgumentException("batches of " + batch + " samples");
    }
    int size = drawn.size();
    SeededRandom random = new SeededRandom(seed);
    long[] last = new long[drawn.items()];
    Arrays.fill(last, -1);
    long[] keys = new long[size];
    for (int place = 0; place < size; place++) {
      int item = drawn.at(place);
      long at = last[item] < 0 ? random.below((long) size) : after(last[item], batch, size, random);
      last[item] = at;
      keys[place] = at << Integer.SIZE | place;
    }
    Arrays.sort(keys);
    int[] entries = new int[size];
    for (int place = 0; place < size; place++) {
      entries[place] = drawn.at((int) keys[place]);
    }
    return new ItemList(drawn.items(), entries);
  }

  /** Returns the place of a repeat; one beyond the end of the epoch is reflected into it. */
  private static long after(long before, int batch, int size, SeededRandom random) {
    long gap = (long) batch * (LEAST_BATCHES + random.below(MOST_BATCHES - LEAST_BATCHES + 1));
    long at = before + gap;
    return at < size ? at : Math.max(0, before - gap);
  }
}
