package io.quiver.core.importance;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A score of each item, without loss, in two bytes each: a score says how many samples of its batch
 * had a smaller loss, and that number is kept. Other scores, of larger batches and means over
 * several jobs, take four bytes each, and then all do. One thread sets scores; others that read
 * meanwhile see some score that the item had.
 */
final class PackedScores {
  /** Batches up to this size give scores that take two bytes. */
  static final int MOST_CODES = 1 << 14;

  private static final int[] TABLE = table();

  // 1 more than the number of smaller losses; 0 for no score.
  private volatile char[] codes;
  // All scores, as soon as one has no code; there are no codes then.
  private volatile int @Nullable [] wide;

  PackedScores(int items) {
    this.codes = new char[items];
  }

  private PackedScores(char[] codes, int @Nullable [] wide) {
    this.codes = codes;
    this.wide = wide;
  }

  /** Packs scores, {@link RankScore#NONE} where there is none. */
  static PackedScores of(int[] scores) {
    PackedScores packed = new PackedScores(scores.length);
    for (int item = 0; item < scores.length; item++) {
      packed.set(item, scores[item]);
    }
    return packed;
  }

  private static int[] table() {
    int[] table = new int[MOST_CODES];
    Arrays.setAll(table, RankScore::score);
    return table;
  }

  int items() {
    int[] all = wide;
    return all == null ? codes.length : all.length;
  }

  /** Returns the score of an item, {@link RankScore#NONE} if it has none. */
  int get(int item) {
    char[] coded = codes; // read first: where codes are gone, all scores are there
    int[] all = wide;
    if (coded.length == 0 && all != null) {
      return all[item];
    }
    return coded[item] == 0 ? RankScore.NONE : TABLE[coded[item] - 1];
  }

  /** Gives an item another score. */
  void set(int item, int score) {
    int[] all = wide;
    if (all == null && !setCode(item, score)) {
      all = toArray();
      wide = all;
      codes = new char[0];
    }
    if (all != null) {
      all[item] = score;
    }
  }

  private boolean setCode(int item, int score) {
    int smaller = score == RankScore.NONE ? -1 : Arrays.binarySearch(TABLE, score);
    boolean coded = smaller >= 0 || score == RankScore.NONE;
    if (coded) {
      codes[item] = (char) (smaller + 1);
    }
    return coded;
  }

  /** Returns a copy, which no longer changes with these. */
  PackedScores copy() {
    int[] all = wide;
    return new PackedScores(codes.clone(), all == null ? null : all.clone());
  }

  /** Returns all scores, {@link RankScore#NONE} where there is none. */
  int[] toArray() {
    int[] scores = new int[items()];
    Arrays.setAll(scores, this::get);
    return scores;
  }
}
