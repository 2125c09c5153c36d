package io.quiver.core.importance;

import java.util.Arrays;

/**
 * The latest score of every item of a data set, in two bytes each, or four (see {@link
 * PackedScores}). It is also the ghost of the cache: servers know the scores of what they keep, a
 * job those of all items.
 *
 * <p>An item that was never scored counts as one in the middle of its batch. Not thread-safe.
 */
public final class ItemScores {
  private final PackedScores scores;
  private int middle = RankScore.score(0);
  private int largestBatch;
  private int known;

  /** Makes scores of which none is known. */
  public ItemScores(int items) {
    if (items < 1) {
      throw new IllegalArgumentException("scores of " + items + " items");
    }
    this.scores = new PackedScores(items);
  }

  /** Returns how many items there are. */
  public int items() {
    return scores.items();
  }

  /** Returns how many of them have been scored. */
  public int known() {
    return known;
  }

  /** Returns true if an item has been scored. */
  public boolean isKnown(int item) {
    return scores.get(item) != RankScore.NONE;
  }

  /** Returns the score of an item, or that of a middling one. */
  public int score(int item) {
    int score = scores.get(item);
    return score == RankScore.NONE ? middle : score;
  }

  /**
   * Takes the losses of a batch into account. A loss that is not a number changes nothing; any
   * other counts by its rank alone, so infinite and negative ones do no harm. Of an item that
   * stands in the batch twice, the later loss counts.
   *
   * @param items the item of each loss
   * @throws IllegalArgumentException if there is not one loss for each item, or no such item;
   *     nothing has changed then
   */
  public void report(int[] items, double[] losses) {
    if (items.length != losses.length) {
      throw new IllegalArgumentException(
          losses.length + " losses for a batch of " + items.length + " items");
    }
    requireKnown(items);
    set(items, RankScore.of(losses), losses.length);
  }

  /**
   * Takes scores over that another rank has computed.
   *
   * @param batch how many samples its batches have
   */
  public void merge(int[] items, int[] others, int batch) {
    if (items.length != others.length) {
      throw new IllegalArgumentException(others.length + " scores for " + items.length + " items");
    }
    requireKnown(items);
    set(items, others, batch);
  }

  private void requireKnown(int[] items) {
    for (int item : items) {
      if (item < 0 || item >= scores.items()) {
        throw new IllegalArgumentException(
            "a loss of item " + item + "; the data set has " + scores.items() + " items");
      }
    }
  }

  private void set(int[] items, int[] latest, int batch) {
    if (batch > largestBatch) {
      largestBatch = batch;
      middle = RankScore.score(batch / 2);
    }
    for (int i = 0; i < items.length; i++) {
      if (latest[i] > RankScore.NONE) {
        known += isKnown(items[i]) ? 0 : 1;
        scores.set(items[i], latest[i]);
      }
    }
  }

  /** Returns all scores, {@link RankScore#NONE} where none is known. */
  public int[] toArray() {
    return scores.toArray();
  }

  /** Returns a copy of the scores that are known. */
  PackedScores copy() {
    return scores.copy();
  }

  /** Returns the score of an item that was never scored. */
  int middle() {
    return middle;
  }

  /** Returns the number of samples in the largest batch reported so far. */
  public int largestBatch() {
    return largestBatch;
  }

  /** Returns scores as they were saved. */
  public static ItemScores restored(int[] scores, int largestBatch) {
    ItemScores restored = new ItemScores(scores.length);
    int[] all = new int[scores.length];
    Arrays.setAll(all, item -> item);
    restored.set(all, scores, largestBatch);
    return restored;
  }
}
