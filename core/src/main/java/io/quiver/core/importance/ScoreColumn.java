package io.quiver.core.importance;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The scores that a job found since its last column, as other jobs are told them: a blob that
 * travels through the cache. All integers are little-endian.
 *
 * <pre>
 *  0        4        8        12       16       20       24         32         48
 *  +--------+--------+--------+--------+--------+--------+----------+----------+-----------+----
 *  | "QVS1" | flags  | items  | largest| round  |  salt  | data set | zeros    | score u32 | ... items
 *  |        |        |        | batch  |        |        | 8 bytes  | 16 bytes |           |
 *  +--------+--------+--------+--------+--------+--------+----------+----------+-----------+----
 * </pre>
 *
 * <p>A score is {@link RankScore#NONE} for an item that was not scored. Columns with flags are not
 * for other jobs: Python's ranks tell each other by them which scores all of them have.
 */
public final class ScoreColumn {
  /** Bytes before the first score. */
  public static final int HEADER_BYTES = 48;

  /** Most items of a data set whose scores fit into a blob. */
  public static final int MAX_ITEMS = 60_000_000;

  private static final int MAGIC = 'Q' | 'V' << 8 | 'S' << 16 | '1' << 24;
  private static final int FLAGS = 4;
  private static final int ITEMS = 8;
  private static final int LARGEST = 12;
  private static final int ROUND = 16;
  private static final int DATASET = 24;

  private final int round;
  private final int largestBatch;
  private final int[] scores;

  private ScoreColumn(int round, int largestBatch, int[] scores) {
    this.round = round;
    this.largestBatch = largestBatch;
    this.scores = scores;
  }

  /** Makes a column of the scores found before an epoch, {@link RankScore#NONE} elsewhere. */
  public static ScoreColumn of(int round, int largestBatch, int[] scores) {
    return new ScoreColumn(round, largestBatch, scores.clone());
  }

  /** Returns the epoch that began when the scores were told. */
  public int round() {
    return round;
  }

  /** Returns the number of samples in the largest batch of the job. */
  public int largestBatch() {
    return largestBatch;
  }

  /** Returns the score of each item. */
  public int[] scores() {
    return scores.clone();
  }

  /**
   * Returns the column as bytes.
   *
   * @param dataset the first eight bytes of the data set's identity
   * @param salt any number: another one gives another hash, and so another server
   */
  public ByteBuffer encode(long dataset, int salt) {
    ByteBuffer bytes =
        ByteBuffer.allocate(HEADER_BYTES + 4 * scores.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(MAGIC).putInt(0).putInt(scores.length).putInt(largestBatch).putInt(round);
    bytes.putInt(salt).putLong(Long.reverseBytes(dataset)).position(HEADER_BYTES);
    bytes.asIntBuffer().put(scores);
    return bytes.rewind();
  }

  /**
   * Reads a column.
   *
   * @throws IllegalArgumentException if it is not one of this data set, or has a score that no
   *     batch gives; says what is wrong
   */
  public static ScoreColumn decode(ByteBuffer column, long dataset, int items) {
    ByteBuffer bytes = column.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.remaining() != HEADER_BYTES + 4L * items
        || bytes.getInt(0) != MAGIC
        || bytes.getInt(FLAGS) != 0
        || bytes.getInt(ITEMS) != items) {
      throw new IllegalArgumentException(
          bytes.remaining() + " bytes are no column of scores of " + items + " items");
    }
    if (Long.reverseBytes(bytes.getLong(DATASET)) != dataset) {
      throw new IllegalArgumentException("a column of scores of another data set");
    }
    int largest = bytes.getInt(LARGEST);
    int round = bytes.getInt(ROUND);
    if (largest < 0 || largest > RankScore.MAX_BATCH || round < 0) {
      throw new IllegalArgumentException(
          "a column of scores of batches of " + largest + " in epoch " + round);
    }
    int[] scores = new int[items];
    bytes.position(HEADER_BYTES).asIntBuffer().get(scores);
    requirePossible(scores, largest);
    return new ScoreColumn(round, largest, scores);
  }

  private static void requirePossible(int[] scores, int largest) {
    int least = RankScore.score(0);
    int most = largest == 0 ? RankScore.NONE : RankScore.score(largest - 1);
    for (int item = 0; item < scores.length; item++) {
      int score = scores[item];
      if (score != RankScore.NONE && (score < least || score > most)) {
        throw new IllegalArgumentException(
            "a score of %d for item %d; batches of %d give %d to %d"
                .formatted(score, item, largest, least, most));
      }
    }
  }
}
