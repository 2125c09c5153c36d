package io.quiver.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.ShuffleQuality;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the effect of the number of chunks on the order of an epoch, on a data set sorted by
 * class: four jobs share a cache of a fifth of it.
 */
class ChunkCountTest {
  private static final int ITEMS = 20_000;
  private static final int CLASSES = 100;
  private static final int[] LABELS =
      IntStream.range(0, ITEMS).map(item -> item * CLASSES / ITEMS).toArray();
  private static final int BATCH = 64;
  private static final int EPOCHS = 4;

  @ParameterizedTest
  @ValueSource(ints = {10, 31, 50, 100})
  void batchesMixClassesAsAGlobalShuffleDoesAndNeighboursMeetOftener(int atLeast) {
    RingCluster cluster =
        new RingCluster(ITEMS, 0.2, 1800, EPOCHS)
            .planner("max_chunks: " + atLeast + ", batches_per_window: 1")
            .planDelay(0.02);
    for (int job = 0; job < 4; job++) {
      cluster.job(0.001, BATCH, 0);
    }
    RingCluster done = cluster.run(7);
    int chunks = done.chunks();
    assertThat(chunks).isBetween(atLeast, Math.max(21, atLeast));
    List<ShuffleQuality> epochs = done.orders(0);
    assertThat(epochs).hasSize(EPOCHS);
    for (ShuffleQuality epoch : epochs) {
      assertThat(epoch.classesPerBatch(LABELS).ratio()).isBetween(0.97, 1.12);
      assertThat(epoch.displacement().ratio()).isBetween(0.97, 1.03);
      assertThat(epoch.positionAgainstIndex().probability()).isGreaterThan(0.001);
    }
    for (int epoch = 1; epoch < epochs.size(); epoch++) {
      double pairs = epochs.get(epoch).pairsMeetingAgain(epochs.get(epoch - 1)).ratio();
      assertThat(pairs).isBetween(0.1 * chunks, 0.45 * chunks);
    }
  }
}
