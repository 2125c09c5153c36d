package io.quiver.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.simulator.result.Stay;
import java.util.List;
import org.junit.jupiter.api.Test;

class Figure7Test {
  @Test
  void atMostTwoChunksRotateAndProgressRisesWithTheLateJobs() {
    Figure7.Outcome outcome = Figure7.run(3, ExperimentProgress.NONE);
    assertThat(outcome.mostRotating()).isEqualTo(2);
    assertThat(outcome.lateStarts())
        .hasSize(3)
        .allMatch(start -> start.resident().containsAll(start.firstChunks()))
        .allMatch(start -> !start.firstChunks().isEmpty());
    assertThat(outcome.batchesPerSecondAfter())
        .isGreaterThan(1.5 * outcome.batchesPerSecondBefore());
  }

  @Test
  void overlappingStaysAreCounted() {
    List<Stay> stays =
        List.of(
            new Stay("set", 0, true, 0, 10),
            new Stay("set", 1, true, 5, 15),
            new Stay("set", 2, true, 10, 20),
            new Stay("set", 3, false, 0, 100));
    assertThat(Figure7.mostRotating(stays)).isEqualTo(2);
  }
}
