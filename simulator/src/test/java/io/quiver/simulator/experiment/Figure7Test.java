package io.quiver.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.simulator.result.SimulationResult.ChunkResidency;
import java.util.List;
import org.junit.jupiter.api.Test;

class Figure7Test {
  private static final double LENGTH = Boolean.getBoolean("quiver.test.long") ? 1 : 0.2;

  @Test
  void atMostTwoChunksRotateAndProgressRisesWithTheLateJobs() {
    Figure7.Outcome outcome = Figure7.run(3, 1, LENGTH, Runs.Listener.NONE);
    assertThat(outcome.mostRotating()).isEqualTo(2);
    assertThat(outcome.lateStarts())
        .hasSize(3)
        .allMatch(start -> start.resident().containsAll(start.firstChunks()))
        .allMatch(start -> !start.firstChunks().isEmpty());
    assertThat(outcome.batchesPerSecondAfter())
        .isGreaterThan(1.5 * outcome.batchesPerSecondBefore());
  }

  @Test
  void aJobGainsFromOthersThatJoinWhereTheStoreIsTheLimit() {
    Figure7.Outcome outcome = Figure7.run(3, 0.5, LENGTH, Runs.Listener.NONE);
    assertThat(outcome.earlyJobAfter()).isGreaterThan(1.2 * outcome.earlyJobBefore());
  }

  @Test
  void overlappingResidenciesAreCounted() {
    List<ChunkResidency> spans =
        List.of(
            new ChunkResidency("set", 0, true, 0, 10),
            new ChunkResidency("set", 1, true, 5, 15),
            new ChunkResidency("set", 2, true, 10, 20),
            new ChunkResidency("set", 3, false, 0, 100));
    assertThat(Figure7.mostRotating(spans)).isEqualTo(2);
  }
}
