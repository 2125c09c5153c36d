package io.quiver.core.stream.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KolmogorovQuantileTest {
  @Test
  void theGapsOfAHundredReadsAreComparedWithTheExactQuantile() {
    assertThat(new KolmogorovQuantile(0.01).of(99)).isCloseTo(0.1616, within(0.00005));
  }

  /** Quantiles of the exact distribution (Marsaglia, Tsang and Wang, 2003). */
  @ParameterizedTest
  @CsvSource({
    "19, 0.01, 0.36117, 0.0001", "19, 0.05, 0.30143, 0.0001", "19, 0.001, 0.43119, 0.0013",
    "49, 0.01, 0.22828, 0.0001", "49, 0.05, 0.19028, 0.0001", "49, 0.001, 0.27335, 0.0004",
    "99, 0.01, 0.16161, 0.0001", "99, 0.05, 0.13469, 0.0001", "99, 0.001, 0.19364, 0.0002",
    "199, 0.01, 0.11444, 0.0001", "199, 0.05, 0.09539, 0.0001", "199, 0.001, 0.13714, 0.0001"
  })
  void quantilesAreNearlyExact(int values, double probability, double exact, double error) {
    assertThat(new KolmogorovQuantile(probability).of(values)).isCloseTo(exact, within(error));
  }

  @Test
  void manyValuesComeCloserThanFew() {
    KolmogorovQuantile quantile = new KolmogorovQuantile(0.01);
    for (int values = 10; values < 100_000; values *= 2) {
      assertThat(quantile.of(2 * values)).isLessThan(quantile.of(values));
    }
    // The limit of the distribution has its quantile at 1.62762.
    assertThat(quantile.of(1_000_000) * 1000).isCloseTo(1.6276, within(0.0005));
  }
}
