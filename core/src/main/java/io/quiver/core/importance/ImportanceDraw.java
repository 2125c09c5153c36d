package io.quiver.core.importance;

import io.quiver.core.order.ItemList;
import io.quiver.core.order.SeededPermutation;
import io.quiver.core.order.SeededRandom;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Draws the samples of an epoch with replacement, in proportion to their scores (SHADE, §4.2.1). So
 * hard samples come more often, and some do not come at all. A floor bounds how many those are:
 * below it, repeats give way to samples that were not drawn.
 */
public final class ImportanceDraw {
  /** The least share of different samples in an epoch; drawing evenly would give 63 %. */
  public static final double DEFAULT_FLOOR = 0.6;

  private final ItemScores scores;
  private final IntUnaryOperator pool;
  private final long[] sums;
  private final int[] drawn;

  /** Prepares draws from a pool of so many items, each of which stands in it once. */
  ImportanceDraw(ItemScores scores, int size, IntUnaryOperator pool) {
    this.scores = scores;
    this.pool = pool;
    this.sums = new long[size];
    this.drawn = new int[scores.items()];
    long sum = 0;
    for (int place = 0; place < size; place++) {
      sum += scores.score(pool.applyAsInt(place));
      sums[place] = sum;
    }
  }

  /**
   * Draws as many samples as there are items.
   *
   * @param floor the least share of different ones, 0 to 1
   * @param seed decides the draw, with the epoch
   */
  public static ItemList draw(ItemScores scores, double floor, long seed, int epoch) {
    if (!(floor >= 0 && floor <= 1)) {
      throw new IllegalArgumentException("a coverage of at least " + floor + "; use 0 to 1");
    }
    return new ImportanceDraw(scores, scores.items(), IntUnaryOperator.identity())
        .draw(floor, SeededRandom.derive(seed, epoch));
  }

  ItemList draw(double floor, long seed) {
    int[] entries = new int[scores.items()];
    SeededRandom random = new SeededRandom(seed);
    long all = sums[sums.length - 1];
    int different = 0;
    for (int place = 0; place < entries.length; place++) {
      int item = pool.applyAsInt(owner(random.below(all)));
      entries[place] = item;
      different += drawn[item]++ == 0 ? 1 : 0;
    }
    int wanted = (int) Math.ceil(floor * scores.items());
    spread(entries, wanted - different, SeededRandom.derive(seed, 1));
    return new ItemList(scores.items(), entries);
  }

  /** Returns the place in the pool whose share of the sum of scores has a point. */
  private int owner(long point) {
    int found = Arrays.binarySearch(sums, point + 1);
    return found >= 0 ? found : -found - 1;
  }

  /** Puts items that were not drawn in the place of repeats, those drawn last first. */
  private void spread(int[] entries, int missing, long seed) {
    int left = missing;
    if (left <= 0) {
      return;
    }
    SeededPermutation undrawn = new SeededPermutation(drawn.length, seed);
    int next = 0;
    for (int place = entries.length - 1; left > 0; place--) {
      if (drawn[entries[place]] > 1) {
        while (drawn[undrawn.at(next)] > 0) {
          next++;
        }
        drawn[entries[place]]--;
        entries[place] = undrawn.at(next);
        drawn[entries[place]] = 1;
        left--;
      }
    }
  }
}
