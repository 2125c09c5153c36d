package io.quiver.simulator.igt.eviction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.simulator.experiment.Runs;
import io.quiver.simulator.igt.eviction.EvictionStudy.Policy;
import io.quiver.simulator.igt.eviction.EvictionStudy.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictionStudyTest {
  private static final int ITEMS = 4000;
  private static final long SEED = 3;
  private static final List<Row> ROWS =
      EvictionStudy.run(ITEMS, EvictionStudy.PASSES, SEED, Runs.Listener.NONE);
  private static final List<String> SKEWED =
      List.of("zipf-0.8", "zipf-1.0", "zipf-1.2", "drifting", "scan-mixed");

  private static double hits(String workload, double fraction, Policy policy) {
    return ROWS.stream()
        .filter(row -> row.workload().equals(workload) && row.cacheFraction() == fraction)
        .filter(row -> row.policy().equals(policy.text()))
        .mapToDouble(Row::hitRatio)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void hasARowForEachWorkloadSizeAndPolicy() {
    assertThat(ROWS)
        .hasSize((SKEWED.size() + 2) * EvictionStudy.FRACTIONS.size() * Policy.values().length)
        .allSatisfy(row -> assertThat(row.hitRatio()).isBetween(0.0, 1.0));
  }

  @Test
  void nobodyBeatsMin() {
    for (Row row : ROWS) {
      assertThat(row.hitRatio())
          .as("%s", row)
          .isLessThanOrEqualTo(hits(row.workload(), row.cacheFraction(), Policy.MIN) + 1e-9);
    }
  }

  @Test
  void randomEpochsHitWhatFitsAndLeastRecentlyUsedWhatTheLawSays() {
    for (double fraction : EvictionStudy.FRACTIONS) {
      assertThat(hits("random", fraction, Policy.QUIVER)).isCloseTo(fraction, within(0.01));
      double law = fraction + (1 - fraction) * Math.log(1 - fraction);
      assertThat(hits("random", fraction, Policy.LRU)).isCloseTo(law, within(0.01));
    }
  }

  @Test
  void skewedReadsHitAsOftenAsWithTheBetterOfLruAndArc() {
    for (String workload : SKEWED) {
      double best = Math.max(hits(workload, 0.5, Policy.LRU), hits(workload, 0.5, Policy.ARC));
      assertThat(hits(workload, 0.5, Policy.QUIVER))
          .as(workload)
          .isGreaterThanOrEqualTo(best - 0.01);
    }
    assertThat(hits("zipf-0.8", 0.1, Policy.QUIVER))
        .isGreaterThanOrEqualTo(hits("zipf-0.8", 0.1, Policy.LRU) + 0.08);
  }

  @Test
  void readsOfWhatIsReadOnceHitNothing() {
    for (Policy policy : Policy.values()) {
      assertThat(hits("sequential", 0.75, policy)).as(policy.text()).isZero();
    }
  }

  @Test
  void aSeedGivesTheSameRows() {
    assertThat(EvictionStudy.run(500, 4, SEED, Runs.Listener.NONE))
        .isEqualTo(EvictionStudy.run(500, 4, SEED, Runs.Listener.NONE));
  }
}
