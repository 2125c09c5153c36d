package io.quiver.core.stream.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GapTestTest {
  private static double distance(int population, int... items) {
    return GapTest.distance(Windows.order(population, items));
  }

  @Test
  void gapsInTheExpectedProportionHaveNoDistance() {
    // Of three items two gaps of three are one, and one is two.
    assertThat(distance(3, 0, 1, 2, 0)).isCloseTo(0, within(1e-12));
    assertThat(distance(3, 0, 1, 2, 1)).isCloseTo(1.0 / 3, within(1e-12));
    assertThat(distance(3, 0, 2, 0, 2)).isCloseTo(2.0 / 3, within(1e-12));
  }

  @Test
  void gapsOfZeroCountAsMoreThanExpected() {
    // Two items: every gap between different ones is one.
    assertThat(distance(2, 0, 1, 0, 1)).isCloseTo(0, within(1e-12));
    assertThat(distance(2, 0, 0, 1, 1)).isCloseTo(2.0 / 3, within(1e-12));
  }

  @Test
  void theDistanceIsTheLargestDifferenceOverAllWholeNumbers() {
    SeededRuns.run(
        50,
        random -> {
          int population = random.nextInt(2, 40);
          int[] items = Windows.uniform(population, random.nextInt(2, 60), random);
          assertThat(distance(population, items))
              .isCloseTo(largestDifference(population, items), within(1e-9));
        });
  }

  /** Compares the distributions at every gap there can be. */
  private static double largestDifference(int population, int[] items) {
    double largest = 0;
    double expected = 0;
    for (int gap = 0; gap < population; gap++) {
      if (gap > 0) {
        expected += 2.0 * (population - gap) / ((double) population * (population - 1));
      }
      int seen = 0;
      for (int read = 1; read < items.length; read++) {
        seen += Math.abs(items[read] - items[read - 1]) <= gap ? 1 : 0;
      }
      largest = Math.max(largest, Math.abs((double) seen / (items.length - 1) - expected));
    }
    return largest;
  }

  @ParameterizedTest
  @CsvSource({"10, 100", "365, 100", "20000, 100", "1000000, 100", "20000, 1000"})
  void uniformReadsExceedTheDistanceAsOftenAsAgreed(int population, int reads) {
    GapTest test = new GapTest(0.01);
    int windows = reads == 100 ? 10_000 : 2_000;
    Random random = new Random(1);
    int alarms = 0;
    for (int window = 0; window < windows; window++) {
      OrderedReads order =
          OrderedReads.of(Windows.listed(population, Windows.uniform(population, reads, random)));
      alarms += GapTest.distance(order) > test.mostDistance(order) ? 1 : 0;
    }
    double share = (double) alarms / windows;
    // Three deviations of a share of 0.01; few items make fewer alarms, as gaps are whole numbers.
    assertThat(share).isLessThan(0.01 + 3 * Math.sqrt(0.01 / windows));
    assertThat(share).isGreaterThan(population == 10 ? 0 : 0.004);
  }

  @Test
  void aNarrowPartOfTheItemsIsTold() {
    GapTest test = new GapTest(0.01);
    SeededRuns.run(
        20,
        random -> {
          OrderedReads order = Windows.order(20_000, Windows.uniform(5_000, 100, random));
          assertThat(GapTest.distance(order)).isGreaterThan(test.mostDistance(order));
        });
  }

  @Test
  void theLargestPopulationIsComparedWithoutOverflow() {
    Random random = new Random(3);
    int[] items = Windows.uniform(Integer.MAX_VALUE, 100, random);
    OrderedReads order = Windows.order(Integer.MAX_VALUE, items);
    assertThat(GapTest.distance(order)).isLessThan(new GapTest(0.001).mostDistance(order));
    assertThat(distance(Integer.MAX_VALUE, 0, Integer.MAX_VALUE - 1, 0)).isCloseTo(1, within(1e-6));
  }

  @Test
  void namesWithoutAPopulationAreComparedByTheirRanks() {
    assertThat(distance(0, 5, 700, 31, 5)).isCloseTo(distance(3, 0, 2, 1, 0), within(1e-12));
  }
}
