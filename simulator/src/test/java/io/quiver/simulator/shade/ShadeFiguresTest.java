package io.quiver.simulator.shade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.simulator.experiment.Runs;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pins what the paper's figures come out as, in short runs. */
class ShadeFiguresTest {
  private static final List<TimedStudy.Row> TIMED =
      TimedStudy.run(6_000, 8, 50, 1, 1, Runs.Listener.NONE);

  private static TimedStudy.Row timed(String policy, double fraction) {
    return TIMED.stream()
        .filter(row -> row.policy().equals(policy) && row.cacheFraction() == fraction)
        .findFirst()
        .orElseThrow();
  }

  private static double speedup(String policy, double fraction) {
    return timed(policy, fraction).samplesPerSecond() / timed("lru", fraction).samplesPerSecond();
  }

  @Test
  void aStoreThatLimitsIsRelievedByHits() {
    assertThat(speedup("shade", 0.1)).isBetween(1.7, 2.0);
    assertThat(speedup("shade-repeat", 0.1)).isBetween(2.3, 3.3);
    assertThat(speedup("shade-published", 0.1)).isBetween(1.3, 1.8);
    assertThat(speedup("shade", 0.75)).isGreaterThan(2.7);
    for (TimedStudy.Row row : TIMED) {
      assertThat(row.samplesPerSecond()).isBetween(990.0, 5001.0);
      assertThat(row.hitRatio())
          .isLessThanOrEqualTo(1 - (row.coverage() - row.cacheFraction()) + 0.01);
    }
  }

  @Test
  void batchesLoadFasterAndMoreEvenlyWhereLruHitsOnlyInThePartOfAnEpoch() {
    for (double fraction : new double[] {0.5, 0.75}) {
      TimedStudy.Row ours = timed("shade", fraction);
      assertThat(timed("lru", fraction).loadSeconds()).isGreaterThan(2.5 * ours.loadSeconds());
      assertThat(timed("lru", fraction).loadDeviation()).isGreaterThan(2 * ours.loadDeviation());
    }
  }

  @Test
  void modelsTrainedByImportanceAreAsGoodInTheEnd() {
    for (TimedStudy.Row row : TIMED) {
      double shuffled = timed("lru", row.cacheFraction()).finalAccuracy();
      assertThat(row.finalAccuracy()).as(row.policy()).isGreaterThan(shuffled - 0.03);
      assertThat(row.curve()).hasSize(8 * SampleTrace.TESTS);
      assertThat(row.curve())
          .isSortedAccordingTo((a, b) -> Double.compare(a.seconds(), b.seconds()));
    }
  }

  @Test
  void readsThatAllMissComeAtTheRateOfTheStoreAndHitsAtThatOfTheGpu() {
    SampleTrace.Size size = new SampleTrace.Size(1_000, 20, 100, 1);
    int[] misses = new int[200];
    assertThat(LoadTimes.of(misses, size).learned()[199]).isCloseTo(4, within(0.01));
    Arrays.fill(misses, 100);
    LoadTimes store = LoadTimes.of(misses, size);
    assertThat(store.learned()[199]).isCloseTo(20, within(0.3));
    assertThat(store.mean(0)).isCloseTo(0.1, within(0.002));
    assertThat(store.deviation(0, 10)).isBetween(0.003, 0.006);
  }

  @Test
  void drawsByTheLossOfBatchesAreAlmostThoseOfChance() {
    List<AccessStudy.Row> rows = AccessStudy.run(2_000, 50, 1, Runs.Listener.NONE);
    assertThat(rows).hasSize(6);
    for (AccessStudy.Row row : rows) {
      assertThat(row.twice()).as("%s", row).isCloseTo(1 - 2 / Math.E, within(0.03));
      assertThat(row.scores().stream().mapToDouble(each -> each).sum()).isCloseTo(1, within(1e-9));
    }
    assertThat(rows.get(0).important()).isLessThan(rows.get(1).important());
  }

  @Test
  void importanceCostsLittleAccuracyOnFewClasses() {
    List<ConvergenceStudy.Row> rows = ConvergenceStudy.run(2_000, 12, 50, 1, Runs.Listener.NONE);
    assertThat(rows).hasSize(15);
    double shuffled = rows.getFirst().finalAccuracy();
    assertThat(shuffled).isGreaterThan(0.8);
    for (ConvergenceStudy.Row row : rows.subList(1, 5)) {
      assertThat(row.finalAccuracy()).as(row.sampling()).isCloseTo(shuffled, within(0.04));
    }
    assertThat(rows.getFirst().epochsTo(0.5)).isBetween(1.0, 6.0);
    assertThat(rows.getFirst().epochsTo(1.1)).isInfinite();
  }
}
