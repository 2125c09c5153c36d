package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RankScoreTest {
  private static final double ONE = 1 << RankScore.FRACTION_BITS;

  @Test
  void aScoreIsTheLogarithmOfHowManyLossesAreSmaller() {
    for (int smaller = 0; smaller < RankScore.MAX_BATCH; smaller += 1 + smaller / 50) {
      assertThat(RankScore.score(smaller) / ONE).isCloseTo(Math.log(smaller + 10), within(2 / ONE));
    }
  }

  @Test
  void theExampleOfThePaperRanksSamplesWithinTheirBatches() {
    int[] first = RankScore.of(new double[] {0.3, 0.5, 0.4});
    int[] second = RankScore.of(new double[] {0.6, 1.2, 0.8});
    assertThat(first).containsExactly(score(0), score(2), score(1));
    assertThat(second).containsExactly(first);
  }

  @Test
  void everyScoreCountsTheSmallerLosses() {
    SeededRuns.run(
        50,
        random -> {
          double[] losses = new double[1 + random.nextInt(200)];
          Arrays.setAll(losses, any -> random.nextInt(20) / 7.0);
          int[] scores = RankScore.of(losses);
          for (int i = 0; i < losses.length; i++) {
            double loss = losses[i];
            long smaller = Arrays.stream(losses).filter(other -> other < loss).count();
            assertThat(scores[i]).isEqualTo(score((int) smaller));
          }
        });
  }

  @Test
  void whatIsNoNumberHasNoScoreAndTouchesNoOther() {
    double[] losses = {Double.NaN, 1, Double.POSITIVE_INFINITY, -3, Double.NaN, 0.0, -0.0};
    assertThat(RankScore.of(losses))
        .containsExactly(
            RankScore.NONE, score(3), score(4), score(0), RankScore.NONE, score(1), score(1));
  }

  @Test
  void aReportIsBounded() {
    assertThatThrownBy(() -> RankScore.of(new double[RankScore.MAX_BATCH + 1]))
        .hasMessageContaining("at most 1048576");
  }

  private static int score(int smaller) {
    return RankScore.score(smaller);
  }
}
