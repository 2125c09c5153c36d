package io.quiver.benchmarks.demo.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.benchmarks.demo.run.RunResult.ResidencyChange;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResidencySummaryTest {
  private static ChunkEntry chunk(int number, ChunkRole role) {
    return new ChunkEntry(number, 1, role, ChunkState.ACTIVE);
  }

  /** Two chunks are pinned while four jobs run; the last job alone pins what the ring had. */
  @Test
  void chunksThatArePinnedOneAfterTheOtherDoNotAddUp() {
    List<ResidencyChange> changes =
        List.of(
            new ResidencyChange(
                0, 10, List.of(chunk(0, ChunkRole.PINNED), chunk(1, ChunkRole.PINNED))),
            new ResidencyChange(
                1,
                10,
                List.of(
                    chunk(0, ChunkRole.PINNED),
                    chunk(1, ChunkRole.PINNED),
                    chunk(2, ChunkRole.ROTATING))),
            new ResidencyChange(
                2, 10, List.of(chunk(7, ChunkRole.PINNED), chunk(8, ChunkRole.PINNED))));
    ResidencySummary summary = new ResidencySummary(100, changes);
    assertThat(IntStream.range(0, 100).filter(summary::pinned).count()).isEqualTo(20);
    assertThat(summary.windowFraction()).isEqualTo(0.1);
  }
}
