package io.quiver.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.ShuffleQuality;
import io.quiver.core.plan.chunk.ChunkRules;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the effect of the number of chunks on the order of an epoch, on a data set sorted by
 * class: four jobs share a cache of a fifth of it.
 */
final class ChunkCountTest {
  private static final int ITEMS = 20_000;
  private static final int CLASSES = 100;
  private static final int[] LABELS =
      IntStream.range(0, ITEMS).map(item -> item * CLASSES / ITEMS).toArray();
  private static final int BATCH = 64;
  private static final int EPOCHS = 4;

  @ParameterizedTest
  @ValueSource(ints = {10, 31, 50, 100})
  void batchesMixClassesAsAGlobalShuffleDoesAndNeighboursMeetOftener(int atLeast) {
    RingSimulation simulation =
        new RingSimulation(divided(atLeast), ITEMS, 0.2, 1800, 0.02, EPOCHS);
    for (int job = 0; job < 4; job++) {
      simulation.join("job-" + job, 0.001, BATCH, 0, job);
    }
    simulation.run();
    int chunks = simulation.chunks();
    assertThat(chunks).isBetween(atLeast, Math.max(20, atLeast));
    List<ShuffleQuality> epochs = simulation.orders("job-0");
    for (ShuffleQuality epoch : epochs) {
      assertThat(epoch.classesPerBatch(LABELS).ratio()).isBetween(0.97, 1.12);
      assertThat(epoch.displacement().ratio()).isBetween(0.97, 1.03);
      assertThat(epoch.positionAgainstIndex().probability()).isGreaterThan(0.001);
    }
    for (int epoch = 1; epoch < epochs.size(); epoch++) {
      double pairs = epochs.get(epoch).pairsMeetingAgain(epochs.get(epoch - 1)).ratio();
      assertThat(pairs).isBetween(0.3 * chunks, 1.2 * chunks);
    }
  }

  private static PlannerConfig divided(int chunks) {
    return PlannerConfig.DEFAULT.withChunks(
        ChunkRules.DEFAULT.withMaxChunks(chunks).withSizes(1, 15_000_000_000L));
  }
}
