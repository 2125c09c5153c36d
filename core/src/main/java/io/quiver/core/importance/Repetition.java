package io.quiver.core.importance;

import io.quiver.core.order.ItemList;
import io.quiver.core.order.SeededPermutation;
import io.quiver.core.order.SeededRandom;
import java.util.function.IntUnaryOperator;

/**
 * Draws the samples of an epoch from a pool that is a part of the data set, so that each comes more
 * often and the cache answers more reads. Half of the pool is new in every epoch: all items come up
 * in turn, so none loses its chance over time, and at least the new ones are read from the store.
 *
 * <p>An epoch has at most the pool's share of different samples. That is the price of hits: with a
 * cache for a share c they are at most 1 − (coverage − c).
 */
public final class Repetition {
  /** The share of the data set that is in the pool. */
  public static final double DEFAULT_POOL = 0.5;

  /** Part of the seed that decides the order in which items come up. */
  private static final long ROTATION = -1;

  private final ItemScores scores;
  private final long seed;
  private final SeededPermutation rotation;
  private final int size;

  /**
   * Sets the draws of a job up.
   *
   * @param pool the share of the data set that is in the pool, above 0 and at most 1
   * @param seed decides all draws
   */
  public Repetition(ItemScores scores, double pool, long seed) {
    if (!(pool > 0 && pool <= 1)) {
      throw new IllegalArgumentException("a pool of " + pool + " of the data set; use 0.1 to 1");
    }
    this.scores = scores;
    this.seed = seed;
    this.rotation = new SeededPermutation(scores.items(), SeededRandom.derive(seed, ROTATION));
    this.size = (int) Math.ceil(pool * scores.items());
  }

  /** Returns how many items are in the pool. */
  public int size() {
    return size;
  }

  /** Returns the item at a place of the pool of an epoch. */
  private IntUnaryOperator pool(int epoch) {
    long first = (long) epoch * ((size + 1) / 2);
    return place -> rotation.at((int) ((first + place) % scores.items()));
  }

  /** Draws as many samples as there are items, from the pool and in proportion to their scores. */
  public ItemList draw(int epoch) {
    return new ImportanceDraw(scores, size, pool(epoch)).draw(0, SeededRandom.derive(seed, epoch));
  }

  /** Returns the mean score of the items in the pool of an epoch. */
  double meanScore(int epoch) {
    IntUnaryOperator pool = pool(epoch);
    double sum = 0;
    for (int place = 0; place < size; place++) {
      sum += scores.score(pool.applyAsInt(place));
    }
    return sum / size;
  }

  /**
   * Returns the weight of every item of the pool that makes the mean over drawn samples that over
   * the pool: 1 / (size · p), where p is the chance of the item in a draw. Others have none, 0.
   */
  public double[] weights(int epoch) {
    IntUnaryOperator pool = pool(epoch);
    double mean = meanScore(epoch);
    double[] weights = new double[scores.items()];
    for (int place = 0; place < size; place++) {
      int item = pool.applyAsInt(place);
      weights[item] = mean / scores.score(item);
    }
    return weights;
  }
}
