package io.quiver.benchmarks.demo.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.benchmarks.demo.run.RunResult.LeadEpochs;
import io.quiver.client.loader.LoaderStatistics;
import io.quiver.node.job.EpochResult.LoopTimes;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class LeadEpochsTest {
  private static final Offset<Double> EXACT = within(1e-9);

  private static DemoJobResult job(double start, double epochSeconds, int epochs) {
    List<Double> ends =
        java.util.stream.IntStream.rangeClosed(1, epochs)
            .mapToObj(epoch -> start + epoch * epochSeconds)
            .toList();
    return new DemoJobResult(
        "job", 1, start, ends, LoaderStatistics.NONE, new LoopTimes(0, 0), true, "");
  }

  @Test
  void jobsInStepGoThroughTheDataAsOftenAsEachOfThem() {
    assertThat(LeadEpochs.of(List.of(job(0, 10, 2), job(0, 10, 2)))).isEqualTo(2, EXACT);
  }

  @Test
  void aJobThatStartsLateAddsTheTimeItIsAlone() {
    assertThat(LeadEpochs.of(List.of(job(0, 10, 2), job(5, 10, 2)))).isEqualTo(2.5, EXACT);
  }

  @Test
  void aSlowJobAddsTheEpochsItRunsAlone() {
    assertThat(LeadEpochs.of(List.of(job(0, 10, 2), job(0, 20, 2)))).isEqualTo(3, EXACT);
  }

  @Test
  void timeInWhichNobodyRunsDoesNotCount() {
    assertThat(LeadEpochs.of(List.of(job(0, 10, 1), job(100, 10, 1)))).isEqualTo(2, EXACT);
  }
}
