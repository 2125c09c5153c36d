package io.quiver.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A minute of work, so not in every run. */
@EnabledIfSystemProperty(named = "quiver.test.long", matches = "true")
class Figure6Test {
  private static double speedup(Figure6.Outcome outcome, int gigabytes, String planner) {
    return outcome.rows().stream()
        .filter(row -> row.cacheGigabytes() == gigabytes && row.planner().equals(planner))
        .findFirst()
        .orElseThrow()
        .speedup();
  }

  @Test
  void roomByMarginalBenefitIsNearlyAsGoodAsEverythingCached() {
    Figure6.Outcome outcome = Figure6.run(1, 1, Runs.Listener.NONE);
    assertThat(outcome.bound()).isBetween(2.46, 2.50);
    assertThat(speedup(outcome, 100, "marginal")).isGreaterThan(2.35);
    assertThat(speedup(outcome, 200, "marginal")).isGreaterThan(2.4);
    assertThat(speedup(outcome, 700, "marginal")).isGreaterThan(2.4);
    assertThat(speedup(outcome, 100, "lru")).isLessThan(1.4);
  }

  @Test
  void withHalfTheBandwidthASmallCacheIsWorthMore() {
    Figure6.Outcome outcome = Figure6.run(1, 0.5, Runs.Listener.NONE);
    assertThat(outcome.bound()).isBetween(4.90, 5.02);
    assertThat(speedup(outcome, 100, "marginal")).isGreaterThan(4.5);
  }
}
