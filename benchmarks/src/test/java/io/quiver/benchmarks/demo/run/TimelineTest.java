package io.quiver.benchmarks.demo.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.benchmarks.demo.run.Timeline.Moment;
import io.quiver.core.plan.PlannerKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimelineTest {
  @Test
  void staysBoundedAndEvenlySpreadHoweverLongARunIs() {
    Timeline timeline = new Timeline();
    for (int i = 0; i < 100_000; i++) {
      timeline.add(new Moment(i, i, i, List.of()));
    }
    timeline.addLast(new Moment(100_000, 0, 0, List.of()));
    List<Moment> moments = timeline.moments();
    assertThat(moments).hasSizeBetween(400, 1001);
    assertThat(moments.getLast().seconds()).isEqualTo(100_000);
    double step = moments.get(1).seconds() - moments.get(0).seconds();
    for (int i = 1; i < moments.size() - 1; i++) {
      assertThat(moments.get(i).seconds() - moments.get(i - 1).seconds()).isEqualTo(step);
    }
  }

  @Test
  void theOrderOfDeliveryIsKeptEpochByEpoch() {
    DeliveredOrder order = new DeliveredOrder(5);
    order.begin();
    order.add(new int[] {4, 0, 1});
    order.add(new int[] {2, 3});
    order.begin();
    order.add(new int[] {1, 2});
    assertThat(order.epochs()).containsExactly(new int[] {4, 0, 1, 2, 3}, new int[] {1, 2});
  }

  @ParameterizedTest
  @CsvSource({
    "0, 2, 64, 0.2, 1, --jobs",
    "4, 0, 64, 0.2, 1, --epochs",
    "4, 2, 0, 0.2, 1, --batch",
    "4, 2, 64, 0, 1, --cache-fraction",
    "4, 2, 64, 1.5, 1, --cache-fraction",
    "4, 2, 64, 0.2, -1, --speeds"
  })
  void aScenarioThatMakesNoSenseNamesTheOptionAndWhatToUse(
      int jobs, int epochs, int batch, double fraction, double speed, String option) {
    assertThatThrownBy(() ->
            new DemoScenario(
                jobs,
                epochs,
                batch,
                new DemoScenario.Work(Duration.ofSeconds(1), List.of(speed), Duration.ZERO),
                fraction,
                new DemoScenario.Store(1_000_000, Duration.ZERO),
                PlannerKind.MARGINAL,
                1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(option)
        .hasMessageContaining("use ");
  }

  @Test
  void everyModeIsFoundByItsWord() {
    for (DemoMode mode : DemoMode.values()) {
      assertThat(DemoMode.parse(mode.word())).isEqualTo(mode);
    }
    assertThatThrownBy(() -> DemoMode.parse("fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fast")
        .hasMessageContaining("all-cached");
  }
}
