package io.quiver.core.plan.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.RingRole;
import io.quiver.core.plan.allocate.DatasetKey;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks which chunk of the ring comes next. */
final class DatasetPlannerTest {
  private static final int ITEMS = 1000;
  private static final int CHUNKS = 10;
  private static final int WHOLE = ITEMS / CHUNKS;

  /** Returns the chunks that begin to load for so many jobs that have the same left to read. */
  private static List<Integer> next(int jobs, int... remaining) {
    DatasetState.Division division =
        new DatasetState.Division(new DatasetKey("00000000000000ab"), ITEMS, ITEMS, CHUNKS);
    DatasetState state = new DatasetState(division, true, List.of(), 0, 1, 0);
    List<RingReader> readers =
        IntStream.range(0, jobs)
            .mapToObj(job ->
                new RingReader(
                    "job-" + job,
                    0,
                    false,
                    false,
                    RingRole.LEADER,
                    true,
                    ChunkCounts.of(remaining),
                    List.of()))
            .toList();
    int window = ChunkRules.DEFAULT.window();
    return new DatasetPlanner(ChunkRules.DEFAULT)
        .next(state, readers, (long) window * WHOLE, 1).plannedChunks().stream()
            .map(PlannedChunk::chunk)
            .toList();
  }

  @Test
  void whatLeftTheCacheTooSoonComesFirstIfLoadingItIsCheaperThanReadingItsParts() {
    int part = WHOLE / 5;
    assertThat(next(7, 0, 0, WHOLE, WHOLE, WHOLE, part, part, 0, 0, 0)).containsExactly(5, 6, 2);
    assertThat(next(4, 0, 0, WHOLE, WHOLE, WHOLE, part, part, 0, 0, 0)).containsExactly(2, 3, 4);
  }
}
