package io.quiver.core.importance;

import io.quiver.core.keep.PriorityScales;
import io.quiver.core.order.ItemList;
import java.util.Arrays;

/**
 * One epoch of a job that reads by importance: its list, the weight of each sample in the loss, and
 * the priority with which the cache keeps it. Does not change, except that priorities which are
 * scores follow the latest ones; safe for use by many threads.
 */
public final class ImportanceEpoch {
  private final Drawn drawn;
  private final PackedUses uses;
  private final ItemScores scores;
  private final boolean ranksByScore;

  /**
   * A list and the scores it was drawn by.
   *
   * @param scores the score of each item; of no items where all had the same chance
   * @param unknown the score of items that had none
   * @param mean the mean score
   */
  record Drawn(int epoch, ItemList list, PackedScores scores, int unknown, double mean) {
    /** Returns the score of each item; empty where all had the same chance. */
    int[] allScores() {
      int[] all = scores.toArray();
      Arrays.setAll(all, this::score);
      return all;
    }

    int score(int item) {
      int score = scores.get(item);
      return score == RankScore.NONE ? unknown : score;
    }
  }

  ImportanceEpoch(Drawn drawn, ItemList following, ItemScores scores, boolean ranksByScore) {
    this.drawn = drawn;
    NextUses next = NextUses.of(base(drawn), drawn.list, following);
    this.uses = new PackedUses(next, base(drawn), drawn.list.size());
    this.scores = scores;
    this.ranksByScore = ranksByScore;
  }

  private static long base(Drawn drawn) {
    return (long) drawn.epoch * drawn.list.items();
  }

  /** Returns which epoch. */
  public int number() {
    return drawn.epoch;
  }

  /** Returns the samples in the order they are read. */
  public ItemList list() {
    return drawn.list;
  }

  /** Returns the position of a place, counted from the job's first epoch on. */
  public long position(int place) {
    return base(drawn) + place;
  }

  /** Returns true if priorities are scores, which need no position to be compared. */
  public boolean ranksByScore() {
    return ranksByScore;
  }

  /**
   * Returns the priority that the sample at a place has in the cache once it was read: larger the
   * sooner it is used again, or the larger its score; 0 if it need not be kept.
   */
  public long priority(int place) {
    if (ranksByScore) {
      int item = drawn.list.at(place);
      return scores.isKnown(item) ? scores.score(item) : 0;
    }
    long position = uses.position(place);
    return position < 0 ? 0 : PriorityScales.ofNextUse(position);
  }

  /**
   * Returns the weight of an item's loss that makes the mean over the list one over the data set: 1
   * / (N · p), where p is the item's chance in a draw (SHADE, Equation 1).
   */
  public double weight(int item) {
    return drawn.scores.items() == 0 ? 1 : drawn.mean / drawn.score(item);
  }

  Drawn drawn() {
    return drawn;
  }
}
