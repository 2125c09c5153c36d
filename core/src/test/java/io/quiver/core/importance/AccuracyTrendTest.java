package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccuracyTrendTest {
  private static boolean falls(double... accuracies) {
    AccuracyTrend trend = new AccuracyTrend();
    for (double accuracy : accuracies) {
      trend.report(accuracy);
    }
    return trend.falls();
  }

  @Test
  void onePairOfFifteenMayRise() {
    assertThat(falls(0.90, 0.91, 0.89, 0.88, 0.87, 0.86)).isTrue();
    assertThat(falls(0.90, 0.91, 0.89, 0.90, 0.87, 0.86)).isFalse();
  }

  @Test
  void fiveAccuraciesAreTooFewAndEqualOnesDoNotFall() {
    assertThat(falls(5, 4, 3, 2, 1)).isFalse();
    assertThat(falls(1, 1, 1, 1, 1, 1)).isFalse();
  }

  @Test
  void onlyTheLatestSixCountAndWhatIsNoNumberDoesNot() {
    assertThat(falls(1, 2, 3, 9, 8, Double.NaN, 7, 6, 5, Double.POSITIVE_INFINITY, 4)).isTrue();
  }
}
