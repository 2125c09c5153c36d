package io.quiver.core.stream.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepeatTestTest {
  @Test
  void pairsAreCountedOverTheWholeWindow() {
    SeededRuns.run(
        20,
        random -> {
          int[] items = Windows.uniform(random.nextInt(1, 50), random.nextInt(0, 80), random);
          long pairs = 0;
          for (int one = 0; one < items.length; one++) {
            for (int other = one + 1; other < items.length; other++) {
              pairs += items[one] == items[other] ? 1 : 0;
            }
          }
          assertThat(RepeatTest.pairs(Windows.order(50, items))).isEqualTo(pairs);
        });
  }

  @Test
  void threePairsInAHundredReadsOfTwentyThousandItemsAreTooMany() {
    // A mean of 0.2475 exceeds 2 with a probability of 0.0021, and 1 with 0.026.
    assertThat(RepeatTest.meanPairs(100, 20_000)).isCloseTo(0.2475, within(1e-9));
    assertThat(new RepeatTest(0.0025).mostPairs(100, 20_000)).isBetween(2.0, 2.999);
    assertThat(new RepeatTest(0.01).mostPairs(100, 20_000)).isBetween(2.0, 2.999);
    assertThat(new RepeatTest(0.05).mostPairs(100, 20_000)).isBetween(1.0, 1.999);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 100",
    "10, 100",
    "100, 100",
    "1000, 100",
    "20000, 100",
    "10, 1000",
    "365, 1000",
    "20000, 1000"
  })
  void uniformReadsExceedTheBoundAsSeldomAsAgreed(int population, int reads) {
    double probability = 0.01;
    double most = new RepeatTest(probability).mostPairs(reads, population);
    Random random = new Random(11);
    int windows = 4000;
    int alarms = 0;
    for (int window = 0; window < windows; window++) {
      int[] counts = new int[population];
      long pairs = 0;
      for (int item : Windows.uniform(population, reads, random)) {
        pairs += counts[item]++;
      }
      alarms += pairs > most ? 1 : 0;
    }
    // Three deviations of a share of 0.01 are 0.0047.
    assertThat((double) alarms / windows).isLessThan(probability + 0.0047);
  }

  @Test
  void oneItemAloneIsNeverTooOften() {
    assertThat(new RepeatTest(0.01).mostPairs(100, 1)).isEqualTo(4950);
    assertThat(new RepeatTest(0.01).mostPairs(100, Double.POSITIVE_INFINITY)).isZero();
    assertThat(new RepeatTest(0.01).mostPairs(1, 10)).isZero();
  }

  @Test
  void aStricterTestAllowsMorePairs() {
    for (int population : new int[] {10, 100, 1000, 20_000}) {
      double before = 0;
      for (double probability : new double[] {0.6, 0.1, 0.05, 0.01, 0.001}) {
        double most = new RepeatTest(probability).mostPairs(200, population);
        assertThat(most).isGreaterThanOrEqualTo(before);
        before = most;
      }
    }
  }

  @Test
  void theEvenPopulationShowsAsManyDifferentItems() {
    SeededRuns.run(
        20,
        random -> {
          int reads = random.nextInt(20, 300);
          int different = random.nextInt(1, reads);
          OrderedReads order =
              Windows.order(0, IntStream.range(0, reads).map(i -> i % different).toArray());
          double population = RepeatTest.evenPopulation(order);
          assertThat(population * -Math.expm1(-reads / population))
              .isCloseTo(different, within(0.01 * different));
        });
    assertThat(RepeatTest.evenPopulation(Windows.order(0, 1, 2, 3))).isInfinite();
    assertThat(RepeatTest.evenPopulation(Windows.order(0))).isInfinite();
  }

  @Test
  void piecesOfFilesAreBurstsAndDrawsAreNot() {
    SeededRuns.run(
        50,
        random -> {
          int[] files = Windows.epoch(1000, 25, random);
          int[] pieces = IntStream.range(0, 100).map(read -> files[read / 4]).toArray();
          assertThat(RepeatTest.hasBursts(Windows.order(1000, pieces))).isTrue();
          int[] spread = IntStream.range(0, 100).map(read -> files[read % 25]).toArray();
          assertThat(RepeatTest.hasBursts(Windows.order(1000, spread))).isFalse();
        });
    Random random = new Random(2);
    int bursts = 0;
    for (int window = 0; window < 2000; window++) {
      bursts += RepeatTest.hasBursts(Windows.order(50, Windows.uniform(50, 100, random))) ? 1 : 0;
    }
    assertThat(bursts).isLessThan(10);
  }

  @Test
  void aRepeatIsNearWithinSixteenReadsOfLargeWindows() {
    assertThat(RepeatTest.reach(Windows.order(0, new int[1000]))).isEqualTo(16);
    assertThat(RepeatTest.reach(Windows.order(0, new int[60]))).isEqualTo(10);
    assertThat(RepeatTest.reach(Windows.order(0))).isZero();
  }
}
