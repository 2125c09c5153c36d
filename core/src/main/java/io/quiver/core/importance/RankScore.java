package io.quiver.core.importance;

import io.quiver.core.number.BinaryLogarithm;
import java.util.Arrays;

/**
 * Scores the samples of a batch by their losses: the natural logarithm of how many of the others
 * have a smaller loss, plus a bias (SHADE, Equation 6). Only the order of losses counts, so scores
 * of different batches and epochs can be compared, and no single loss is too large to be taken.
 *
 * <p>Scores are fixed-point numbers with 16 fraction bits. Equal losses have equal scores.
 */
public final class RankScore {
  /** Score of a sample whose loss is not a number. */
  public static final int NONE = 0;

  /** Fraction bits of a score. */
  public static final int FRACTION_BITS = 16;

  /** Most samples of one report. */
  public static final int MAX_BATCH = 1 << 20;

  /** The bias b0, as the authors chose it. It keeps the scores of a batch within a small factor. */
  private static final int BIAS = 10;

  private static final int LOG_BITS = 24;

  /** 2^24 · ln 2. */
  private static final long LN2 = 11_629_080;

  private static final int[] TABLE = table(4096);

  private RankScore() {}

  /** Returns the score of each loss, {@link #NONE} where it is not a number. */
  public static int[] of(double[] losses) {
    if (losses.length > MAX_BATCH) {
      throw new IllegalArgumentException(
          losses.length + " losses in one report; at most " + MAX_BATCH + " are taken");
    }
    double[] sorted = losses.clone();
    Arrays.sort(sorted); // what is not a number comes last
    int[] scores = new int[losses.length];
    for (int i = 0; i < losses.length; i++) {
      if (!Double.isNaN(losses[i])) {
        scores[i] = score(smaller(sorted, losses[i]));
      }
    }
    return scores;
  }

  /** Returns how many losses are smaller than one of them; zeros of both signs are equal. */
  private static int smaller(double[] sorted, double loss) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < loss) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the score of a sample when this many others have a smaller loss. */
  public static int score(int smaller) {
    return smaller < TABLE.length ? TABLE[smaller] : logarithm(smaller + BIAS);
  }

  private static int[] table(int length) {
    int[] table = new int[length];
    Arrays.setAll(table, smaller -> logarithm(smaller + BIAS));
    return table;
  }

  /** Returns 2^16 · ln(x), cut off. */
  private static int logarithm(int x) {
    int whole = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(x);
    long fraction = BinaryLogarithm.fraction((long) x << (31 - whole), LOG_BITS);
    long log = (long) whole << LOG_BITS | fraction;
    return (int) ((log * LN2) >>> (2 * LOG_BITS - FRACTION_BITS));
  }
}
