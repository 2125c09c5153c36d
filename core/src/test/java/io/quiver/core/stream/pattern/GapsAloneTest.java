package io.quiver.core.stream.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import io.quiver.core.stream.StreamRules;
import io.quiver.testkit.SeededRuns;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The paper's test sees places: what it finds, and what it cannot. */
class GapsAloneTest {
  private static final int ITEMS = 20_000;
  private static final GapsAlone GAPS = new GapsAlone(StreamRules.STANDARD);

  private static AccessPattern pattern(int population, int... items) {
    return GAPS.recognize(Windows.listed(population, items)).pattern();
  }

  private static double share(AccessPattern pattern, int population, Supplier<int[]> reads) {
    int count = 0;
    for (int window = 0; window < 500; window++) {
      count += pattern(population, reads.get()) == pattern ? 1 : 0;
    }
    return count / 500.0;
  }

  @Test
  void smallStepsForwardAreSequential() {
    assertThat(pattern(ITEMS, Windows.scan(0, 4, 100))).isEqualTo(AccessPattern.SEQUENTIAL);
    assertThat(pattern(ITEMS, Windows.scan(0, 5, 100))).isEqualTo(AccessPattern.SKEWED);
  }

  @Test
  void uniformReadsAreRandomButForTheLevel() {
    Random random = new Random(1);
    assertThat(share(AccessPattern.RANDOM, ITEMS, () -> Windows.uniform(ITEMS, 100, random)))
        .isBetween(0.96, 1.0);
  }

  @Test
  void aThresholdOfSixteenPercentDecidesForAHundredReads() {
    Recognition recognition =
        GAPS.recognize(Windows.listed(ITEMS, Windows.uniform(ITEMS, 100, new Random(2))));
    assertThat(recognition.threshold()).isBetween(0.1615, 0.1617);
    assertThat(recognition.evidence()).isEqualTo(Evidence.GAPS);
  }

  @Test
  void popularItemsThatLieTogetherAreSkewed() {
    SeededRuns.run(
        20,
        random ->
            assertThat(pattern(ITEMS, Windows.uniform(2000, 100, random)))
                .isEqualTo(AccessPattern.SKEWED));
  }

  @Test
  void popularItemsThatLieApartAreTakenForRandom() {
    Random random = new Random(3);
    double missed =
        share(AccessPattern.RANDOM, ITEMS, () -> Windows.skewed(ITEMS, 50, 100, random));
    assertThat(missed).isGreaterThan(0.8);
  }

  @Test
  void parallelReadersAreNeverTakenForSequential() {
    Random random = new Random(4);
    for (int readers : new int[] {2, 8, 32}) {
      double found =
          share(
              AccessPattern.SEQUENTIAL,
              ITEMS,
              () -> Windows.parallelScans(ITEMS, readers, 100, random));
      assertThat(found).isZero();
    }
  }

  @Test
  void aSmallPopulationIsRefused() {
    Random random = new Random(5);
    assertThat(share(AccessPattern.RANDOM, 4, () -> Windows.uniform(4, 100, random)))
        .isLessThan(0.1);
  }

  @Test
  void fewReadsAndUnknownItemsTellNothing() {
    assertThat(pattern(ITEMS, Windows.scan(0, 1, 99))).isEqualTo(AccessPattern.UNKNOWN);
    assertThat(pattern(1, new int[100])).isEqualTo(AccessPattern.UNKNOWN);
    assertThat(pattern(0, Windows.scan(0, 1, 100))).isEqualTo(AccessPattern.UNKNOWN);
  }
}
