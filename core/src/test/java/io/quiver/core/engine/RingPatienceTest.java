package io.quiver.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.UnreadItems;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks when the wait of a job that has used up the ring ends. */
class RingPatienceTest {
  private static final int CHUNK = 100;
  private static final long WAIT = ReadRules.RING_WAIT.toNanos();
  private static final DatasetPlan PLAN =
      new DatasetPlan(
          new DatasetKey("0123456789abcdef"),
          4 * CHUNK,
          4000,
          4,
          true,
          List.of(new ChunkEntry(0, 1, ChunkRole.ROTATING, ChunkState.LOADING)));

  private final RingPatience patience = new RingPatience(64);

  /** Has drawn all of the chunk that is loading, and nothing of the others. */
  private static final UnreadItems STARVED =
      new UnreadItems() {
        @Override
        public int available() {
          return 3 * CHUNK;
        }

        @Override
        public int available(int chunk) {
          return chunk == 0 ? 0 : CHUNK;
        }
      };

  private boolean waits(int out, long now) {
    return patience.waits(PLAN, STARVED, CHUNK, out, true, now);
  }

  @Test
  void aJobWithNothingToReadWaitsForAWhile() {
    assertThat(waits(0, 0)).isTrue();
    assertThat(waits(0, WAIT - 1)).isTrue();
    assertThat(waits(0, WAIT)).isFalse();
  }

  @Test
  void aJobWaitsAsLongAsItReadsWhatTheRingBringsIn() {
    assertThat(waits(3, 0)).isTrue();
    assertThat(waits(1, 10 * WAIT)).as("still reading").isTrue();
    assertThat(waits(0, 11 * WAIT - 1)).isTrue();
    assertThat(waits(0, 11 * WAIT)).as("the ring stands still").isFalse();
  }

  @Test
  void aJobThatHelpsItselfWaitsAgainBeforeItDoesSoOnceMore() {
    assertThat(waits(0, 0)).isTrue();
    assertThat(waits(0, WAIT)).as("one batch").isFalse();
    assertThat(waits(1, WAIT + 1)).as("while it is read").isTrue();
    assertThat(waits(0, 2 * WAIT)).as("and after that").isTrue();
    assertThat(waits(0, 2 * WAIT + 1)).isFalse();
  }
}
