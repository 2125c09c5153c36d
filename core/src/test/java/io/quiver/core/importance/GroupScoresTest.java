package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One score for each item follows from all that jobs of a group found, as in a plain model. */
final class GroupScoresTest {
  private static final int ITEMS = 200;
  private static final int BATCH = 16;

  private static ScoreColumn column(Random random) {
    int[] scores = new int[ITEMS];
    Arrays.setAll(
        scores, any -> random.nextInt(3) == 0 ? RankScore.score(random.nextInt(BATCH)) : 0);
    return ScoreColumn.of(1, BATCH, scores);
  }

  private static int[] merged(GroupScores group) {
    ItemScores scores = new ItemScores(ITEMS);
    group.merge(scores, 1);
    return scores.toArray();
  }

  @Test
  void scoresAreTheMeansOfWhatWasFoundInAnyOrder() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<ScoreColumn> columns =
        new ArrayList<>(IntStream.range(0, 5).mapToObj(any -> column(random)).toList());
    int[] expected = new int[ITEMS];
    Arrays.setAll(
        expected,
        item ->
            (int)
                columns.stream()
                    .mapToInt(each -> each.scores()[item])
                    .filter(score -> score != RankScore.NONE)
                    .average()
                    .orElse(RankScore.NONE));
    for (int order = 0; order < 5; order++) {
      Collections.shuffle(columns, random);
      GroupScores group = new GroupScores(ITEMS);
      columns.forEach(group::hear);
      assertThat(merged(group)).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void aJobTellsOnlyWhatItFoundItselfAndOnlyOnce() {
    GroupScores group = new GroupScores(ITEMS);
    group.hear(column(new Random(1)));
    group.report(new int[] {3, 4, 3}, new double[] {1, Double.NaN, 2});
    ItemScores scores = new ItemScores(ITEMS);
    scores.report(new int[] {3, 4, 3}, new double[] {1, Double.NaN, 2});
    int[] told = group.merge(scores, 4).orElseThrow().scores();
    assertThat(told[3]).isEqualTo(RankScore.score(1));
    assertThat(Arrays.stream(told).filter(score -> score != RankScore.NONE).count()).isEqualTo(1);
    assertThat(group.merge(scores, 5)).isEmpty();
  }

  @Test
  void whatNobodyFoundKeepsItsScore() {
    ItemScores scores = new ItemScores(ITEMS);
    scores.report(new int[] {1, 2}, new double[] {1, 2});
    int[] before = scores.toArray();
    new GroupScores(ITEMS).merge(scores, 1);
    assertThat(scores.toArray()).isEqualTo(before);
  }

  @Test
  void oneJobAloneSamplesAsItWouldWithoutAGroup() {
    ItemScores alone = new ItemScores(ITEMS);
    ItemScores shared = new ItemScores(ITEMS);
    GroupScores group = new GroupScores(ITEMS);
    Random random = new Random(3);
    for (int batch = 0; batch < 50; batch++) {
      int[] items = random.ints(BATCH, 0, ITEMS).toArray();
      double[] losses = random.doubles(BATCH).toArray();
      alone.report(items, losses);
      shared.report(items, losses);
      group.report(items, losses);
    }
    group.merge(shared, 1);
    assertThat(shared.toArray()).isEqualTo(alone.toArray());
  }
}
