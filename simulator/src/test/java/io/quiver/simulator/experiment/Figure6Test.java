package io.quiver.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.SamplerKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The whole figure is minutes of work, so every run has only a part of it, with fewer jobs. */
class Figure6Test {
  private static final String LONG = "quiver.test.long";

  private static double speedup(Figure6.Outcome outcome, int gigabytes, String planner) {
    return outcome.rows().stream()
        .filter(row -> row.cacheGigabytes() == gigabytes && row.planner().equals(planner))
        .findFirst()
        .orElseThrow()
        .speedup();
  }

  @Test
  void jobsMeasuredLateHaveTheirBytesWithinMinutes() {
    ProgressMeter meter = new ProgressMeter(20);
    Runs runs = new Runs(1);
    runs.add(
        new SharedCluster("two jobs of each model", 4)
            .cache(100e9)
            .cycleMillis(50)
            .epochs(50)
            .untilSeconds(600)
            .mix(2, SamplerKind.SUBSTITUTE)
            .build(1),
        meter);
    runs.run(Runs.Listener.NONE);
    double full = 1000 / Workload.RESNET.computeMillis();
    // Inception is measured first and has everything by then; ResNet50 makes more of it.
    assertThat(meter.rate(0, 500, 600)).isGreaterThan(0.9 * full);
  }

  @Test
  @EnabledIfSystemProperty(named = LONG, matches = "true")
  void roomByMarginalBenefitIsNearlyAsGoodAsEverythingCached() {
    Figure6.Outcome outcome = Figure6.run(1, 1, Runs.Listener.NONE);
    assertThat(outcome.bound()).isBetween(2.46, 2.50);
    assertThat(speedup(outcome, 100, "marginal")).isGreaterThan(2.35);
    assertThat(speedup(outcome, 200, "marginal")).isGreaterThan(2.4);
    assertThat(speedup(outcome, 700, "marginal")).isGreaterThan(2.4);
    assertThat(speedup(outcome, 100, "lru")).isLessThan(1.4);
  }

  @Test
  @EnabledIfSystemProperty(named = LONG, matches = "true")
  void withHalfTheBandwidthASmallCacheIsWorthMore() {
    Figure6.Outcome outcome = Figure6.run(1, 0.5, Runs.Listener.NONE);
    assertThat(outcome.bound()).isBetween(4.90, 5.02);
    assertThat(speedup(outcome, 100, "marginal")).isGreaterThan(4.5);
  }
}
