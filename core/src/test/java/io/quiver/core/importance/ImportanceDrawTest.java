package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.order.ItemList;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ImportanceDrawTest {
  private static final int ITEMS = 64;

  /** Scores of a batch in which every item has a greater loss than the one before it. */
  private static ItemScores rising(int items) {
    ItemScores scores = new ItemScores(items);
    int[] all = new int[items];
    double[] losses = new double[items];
    Arrays.setAll(all, item -> item);
    Arrays.setAll(losses, item -> item);
    scores.report(all, losses);
    return scores;
  }

  @Test
  void anItemIsDrawnInProportionToItsScore() {
    ItemScores scores = rising(ITEMS);
    int epochs = 20_000;
    long[] drawn = new long[ITEMS];
    for (int epoch = 0; epoch < epochs; epoch++) {
      Arrays.stream(ImportanceDraw.draw(scores, 0, 5, epoch).entries()).forEach(i -> drawn[i]++);
    }
    double sum = 0;
    for (int item = 0; item < ITEMS; item++) {
      sum += scores.score(item);
    }
    for (int item = 0; item < ITEMS; item++) {
      double expected = (double) epochs * ITEMS * scores.score(item) / sum;
      assertThat((double) drawn[item]).isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
  }

  @Test
  void theFloorIsKeptExactlyWhereTheDrawIsBelowIt() {
    ItemScores scores = rising(10_000);
    assertThat(ImportanceDraw.draw(scores, 0, 1, 0).distinct()).isBetween(5_800, 6_400);
    assertThat(ImportanceDraw.draw(scores, 0.8, 1, 0).distinct()).isEqualTo(8_000);
    assertThat(ImportanceDraw.draw(scores, 1, 1, 0).distinct()).isEqualTo(10_000);
    assertThat(ImportanceDraw.draw(scores, 0.8, 1, 0).size()).isEqualTo(10_000);
  }

  @Test
  void whatTheFloorLeavesOfADrawIsTheDraw() {
    ItemScores scores = rising(1_000);
    int[] free = ImportanceDraw.draw(scores, 0, 1, 0).entries();
    int[] floored = ImportanceDraw.draw(scores, 0.7, 1, 0).entries();
    int changed = 0;
    for (int place = 0; place < free.length; place++) {
      changed += free[place] == floored[place] ? 0 : 1;
    }
    assertThat(changed).isBetween(1, 200);
  }

  @Test
  void oneSeedAndEpochGiveOneList() {
    ItemScores scores = rising(ITEMS);
    ItemList list = ImportanceDraw.draw(scores, 0.6, 7, 3);
    assertThat(ImportanceDraw.draw(scores, 0.6, 7, 3)).isEqualTo(list);
    assertThat(ImportanceDraw.draw(scores, 0.6, 7, 4)).isNotEqualTo(list);
    assertThat(ImportanceDraw.draw(scores, 0.6, 8, 3)).isNotEqualTo(list);
  }

  @Test
  void aFloorThatCannotBeIsRefused() {
    for (double floor : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> ImportanceDraw.draw(rising(2), floor, 1, 1))
          .hasMessageContaining("use 0 to 1");
    }
  }
}
