package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ItemScoresTest {
  private final ItemScores scores = new ItemScores(10);

  @Test
  void theLatestLossCountsAndUnknownItemsAreMiddling() {
    scores.report(new int[] {1, 2, 3, 4}, new double[] {0.1, 0.2, 0.3, 0.4});
    assertThat(scores.score(4)).isEqualTo(RankScore.score(3));
    assertThat(scores.score(9)).isEqualTo(RankScore.score(2));
    assertThat(scores.known()).isEqualTo(4);
    scores.report(new int[] {4, 5}, new double[] {0.1, 0.9});
    assertThat(scores.score(4)).isEqualTo(RankScore.score(0));
    assertThat(scores.known()).isEqualTo(5);
    assertThat(scores.isKnown(9)).isFalse();
  }

  @Test
  void aLossThatIsNoNumberChangesNothing() {
    scores.report(new int[] {1, 2}, new double[] {0.1, 0.2});
    scores.report(new int[] {1, 2, 3}, new double[] {Double.NaN, 5, Double.NaN});
    assertThat(scores.score(1)).isEqualTo(RankScore.score(0));
    assertThat(scores.isKnown(3)).isFalse();
  }

  @Test
  void aReportThatDoesNotFitIsRefusedWhole() {
    assertThatThrownBy(() -> scores.report(new int[] {1, 2}, new double[] {1}))
        .hasMessageContaining("1 losses for a batch of 2");
    assertThatThrownBy(() -> scores.report(new int[] {1, 10}, new double[] {1, 2}))
        .hasMessageContaining("item 10")
        .hasMessageContaining("10 items");
    assertThatThrownBy(() -> scores.report(new int[] {1, -1}, new double[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(scores.known()).isZero();
  }

  @Test
  void savedScoresComeBack() {
    scores.report(new int[] {1, 2, 3}, new double[] {3, 2, 1});
    ItemScores again = ItemScores.restored(scores.toArray(), scores.largestBatch());
    assertThat(again.toArray()).isEqualTo(scores.toArray());
    assertThat(again.known()).isEqualTo(3);
    assertThat(again.score(9)).isEqualTo(scores.score(9));
  }
}
