package io.quiver.core.importance;

import java.util.Arrays;
import java.util.Optional;

/**
 * Merges the scores that the jobs of a group found, before each of them draws its next list. A
 * score that was found more than once since the last list counts as the mean: no job of the group
 * outweighs the others, and the order in which they are heard does not matter.
 *
 * <p>Takes twelve bytes for each item, however many jobs there are, and four for what the job found
 * itself. Not thread-safe.
 */
public final class GroupScores {
  private final int[] own;
  private final long[] sums;
  private final int[] counts;
  private int largestBatch;

  /** Makes a merger that has heard nothing. */
  public GroupScores(int items) {
    this.own = new int[items];
    this.sums = new long[items];
    this.counts = new int[items];
  }

  /** Notes the losses that the job itself reports; of an item reported twice the later counts. */
  public void report(int[] items, double[] losses) {
    int[] scores = RankScore.of(losses);
    for (int i = 0; i < items.length; i++) {
      own[items[i]] = scores[i] == RankScore.NONE ? own[items[i]] : scores[i];
    }
  }

  /** Notes the scores of another job of the group. */
  public void hear(ScoreColumn column) {
    add(column.scores());
    largestBatch = Math.max(largestBatch, column.largestBatch());
  }

  private void add(int[] scores) {
    for (int item = 0; item < scores.length; item++) {
      if (scores[item] != RankScore.NONE) {
        sums[item] += scores[item];
        counts[item]++;
      }
    }
  }

  /**
   * Puts the mean of everything found since the last call into a job's scores.
   *
   * @param round the epoch that begins
   * @return the job's own part, for the others; empty if it found nothing
   */
  public Optional<ScoreColumn> merge(ItemScores scores, int round) {
    boolean found = Arrays.stream(own).anyMatch(score -> score != RankScore.NONE);
    Optional<ScoreColumn> told =
        found ? Optional.of(ScoreColumn.of(round, scores.largestBatch(), own)) : Optional.empty();
    add(own);
    int[] items = new int[own.length];
    int[] means = new int[own.length];
    for (int item = 0; item < items.length; item++) {
      items[item] = item;
      means[item] = counts[item] == 0 ? RankScore.NONE : (int) (sums[item] / counts[item]);
    }
    scores.merge(items, means, largestBatch);
    Arrays.fill(own, RankScore.NONE);
    Arrays.fill(sums, 0);
    Arrays.fill(counts, 0);
    return told;
  }
}
