package io.quiver.simulator.shade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.simulator.experiment.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShadeStudyTest {
  private static final int ITEMS = 6_000;
  private static final double[] FRACTIONS = {0.1, 0.2, 0.5, 0.75};
  private static final List<ShadeStudy.Row> ROWS =
      new ShadeStudy(ITEMS, 10, 20, 3).run(Runs.Listener.NONE);

  private static ShadeStudy.Row row(String policy, double fraction) {
    return ROWS.stream()
        .filter(row -> row.policy().equals(policy) && row.cacheFraction() == fraction)
        .findFirst()
        .orElseThrow();
  }

  private static double hits(String policy, double fraction) {
    return row(policy, fraction).hitRatio();
  }

  @Test
  void everyPolicyHasARowForEveryCacheAndKeepsTheLaw() {
    assertThat(ROWS).hasSize(4 * SamplePolicy.values().length);
    assertThat(ROWS)
        .allSatisfy(row -> {
          assertThat(row.hitRatio()).isBetween(0.0, 1.0);
          assertThat(row.hitRatio())
              .isLessThanOrEqualTo(1 - (row.coverage() - row.cacheFraction()));
        });
  }

  @Test
  void aLargerCacheHasMoreHits() {
    for (SamplePolicy policy : SamplePolicy.values()) {
      for (int i = 1; i < FRACTIONS.length; i++) {
        assertThat(hits(policy.text(), FRACTIONS[i]))
            .as("%s at %s", policy, FRACTIONS[i])
            .isGreaterThan(hits(policy.text(), FRACTIONS[i - 1]));
      }
    }
  }

  @Test
  void ourListsFindWhatArithmeticAllows() {
    assertThat(hits("shade", 0.1)).isGreaterThan(0.43);
    assertThat(hits("shade", 0.2)).isGreaterThan(0.53);
    for (double fraction : FRACTIONS) {
      assertThat(row("shade", fraction).coverage()).isGreaterThanOrEqualTo(0.6);
      assertThat(hits("shade", fraction)).isGreaterThan(hits("shade-paper", fraction));
    }
  }

  @Test
  void repetitionReachesThePublishedHitsAndPaysWithCoverage() {
    assertThat(hits("shade-repeat", 0.2)).isGreaterThan(0.725);
    assertThat(row("shade-repeat", 0.2).coverage()).isBetween(0.4, 0.475);
    assertThat(hits("shade-repeat", 0.1)).isGreaterThan(hits("shade", 0.1) + 0.15);
  }

  @Test
  void thePublishedHitsComeFromListingCachedSamplesThrice() {
    assertThat(hits("shade-published", 0.1)).isGreaterThan(2.5 * hits("shade-paper", 0.1));
    assertThat(row("shade-published", 0.2).coverage()).isLessThan(0.475);
  }

  @Test
  void nobodyBeatsTheWholeFutureOnTheSameDraws() {
    for (SamplePolicy policy : SamplePolicy.values()) {
      String best =
          switch (policy.sampling()) {
            case SHUFFLE -> "nopfs";
            case RANKS -> "min";
            case BATCH_LOSSES -> "sh_min";
            case CACHED_THRICE, AHEAD, POOL -> policy.text();
          };
      for (double fraction : FRACTIONS) {
        assertThat(hits(policy.text(), fraction))
            .as("%s at %s", policy, fraction)
            .isLessThanOrEqualTo(hits(best, fraction));
      }
    }
  }

  @Test
  void evictingAtRandomTellsOldFromNewNoMoreThanChance() {
    // Drawn with replacement and evicted at random, an item is cached with about the cached share.
    assertThat(hits("random", 0.1)).isCloseTo(0.1, within(0.01));
    assertThat(hits("random", 0.5)).isCloseTo(0.49, within(0.02));
  }

  @Test
  void shufflesLeaveTheCacheItsShareAtMost() {
    for (double fraction : FRACTIONS) {
      assertThat(row("lru", fraction).coverage()).isEqualTo(1);
      // Every epoch but the first hits c + (1 - c) ln(1 - c) of the samples.
      double lru = fraction + (1 - fraction) * Math.log(1 - fraction);
      assertThat(hits("lru", fraction)).isCloseTo(0.9 * lru, within(0.01));
      for (String policy : List.of("minio", "quiver-emulated", "nopfs")) {
        assertThat(hits(policy, fraction)).isCloseTo(0.9 * fraction, within(0.001));
      }
    }
  }
}
