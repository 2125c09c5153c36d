package io.quiver.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.SamplerKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** The whole and the rotating data sets of the paper (§7.6); 15 GB or a tenth make a chunk. */
  @ParameterizedTest
  @CsvSource({
    "100, window 28.0, window 18.0, window 29.5",
    "200, whole 154.0, window 18.0, window 29.5",
    "700, whole 154.0, window 18.0, whole 531.0"
  })
  void thePapersPlannerMakesThePapersAllocations(
      int gigabytes, String imagenet, String librispeech, String openimages) {
    Figure6.Bar bar = new Figure6.Bar(gigabytes, Figure6.Contender.GREEDY3, 140);
    Runs runs = new Runs(1);
    runs.add(bar.scenario(1, 1), bar.allocations());
    runs.run(Runs.Listener.NONE);
    assertThat(bar.allocations().list().stream().map(Figure6Test::text))
        .containsExactly(
            "imagenet " + imagenet, "librispeech " + librispeech, "openimages " + openimages);
  }

  private static List<List<Allocations.Allocation>> allocations(
      Figure6.Outcome outcome, String planner) {
    return outcome.rows().stream()
        .filter(row -> row.planner().equals(planner))
        .map(Figure6.Row::allocations)
        .toList();
  }

  private static String text(Allocations.Allocation each) {
    return "%s %s %.1f".formatted(each.dataset(), each.kind(), each.bytes() / 1e9);
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
    assertThat(speedup(outcome, 100, "paper-mode")).as("published: 1.6").isBetween(1.9, 2.0);
    assertThat(allocations(outcome, "paper-mode")).isEqualTo(allocations(outcome, "greedy3"));
  }

  @Test
  @EnabledIfSystemProperty(named = LONG, matches = "true")
  void withHalfTheBandwidthASmallCacheIsWorthMore() {
    Figure6.Outcome outcome = Figure6.run(1, 0.5, Runs.Listener.NONE);
    assertThat(outcome.bound()).isBetween(4.90, 5.02);
    assertThat(speedup(outcome, 100, "marginal")).isGreaterThan(4.5);
  }
}
