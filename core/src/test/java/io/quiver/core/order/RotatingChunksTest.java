package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Checks how batches mix rotating chunks: one job reads two epochs while a ring of three chunks
 * goes round. The next chunk is loaded when the oldest is used up, and its load takes nearly as
 * long as the job takes for a chunk.
 */
final class RotatingChunksTest {
  private static final int ITEMS = 20_000;
  private static final int CHUNKS = 62;
  private static final int PINNED = 9;
  private static final int WINDOW = 3;
  private static final int BATCH = 64;
  private static final int LOAD_BATCHES = 5;

  private static final ChunkLayout LAYOUT = new ChunkLayout(ITEMS, CHUNKS);
  private static final List<ShuffleQuality> EPOCHS = new ArrayList<>();
  private static final List<Draw> DRAWS = new ArrayList<>();

  /** The rotating chunks, the oldest in front; the last may still be on its way. */
  private static final List<Integer> RING = new ArrayList<>();

  private static int loadedAt;

  @BeforeAll
  static void readTwoEpochs() {
    EPOCHS.clear();
    DRAWS.clear();
    RING.clear();
    IntStream.range(PINNED, PINNED + WINDOW).forEach(RING::add);
    loadedAt = 0;
    for (int epoch = 0; epoch < 2; epoch++) {
      read(epoch);
    }
  }

  private static void read(int epoch) {
    EpochOrder order =
        EpochOrder.begin(
            SamplerKind.SUBSTITUTE, OrderSetup.single(ITEMS, CHUNKS, BATCH, 11), epoch);
    ShuffleQuality quality = new ShuffleQuality(ITEMS);
    while (!order.finished()) {
      Draw draw = order.draw(residency(), RingRole.LEADER).orElseThrow();
      int[] delivered = Arrays.copyOf(draw.candidates(), draw.want() + draw.fetch().length);
      System.arraycopy(draw.fetch(), 0, delivered, draw.want(), draw.fetch().length);
      order.settle(draw, delivered);
      quality.add(delivered);
      DRAWS.add(draw);
      turn(order);
    }
    EPOCHS.add(quality);
  }

  private static Residency residency() {
    int whole = DRAWS.size() >= loadedAt ? RING.size() : RING.size() - 1;
    return new Residency(
        IntStream.range(0, PINNED).boxed().toList(),
        RING.subList(0, whole),
        RING.subList(whole, RING.size()));
  }

  /** Loads the next chunk in place of the oldest if that is used up and nothing else is loading. */
  private static void turn(EpochOrder order) {
    if (DRAWS.size() >= loadedAt && order.available(RING.getFirst()) == 0) {
      int next = PINNED + (RING.getLast() + 1 - PINNED) % (CHUNKS - PINNED);
      RING.removeFirst();
      RING.add(next);
      loadedAt = DRAWS.size() + LOAD_BATCHES;
    }
  }

  @Test
  void aBatchComesFromSeveralRotatingChunks() {
    double shares = 0;
    for (Draw draw : DRAWS) {
      int[] byChunk = new int[CHUNKS];
      Arrays.stream(draw.candidates(), 0, draw.want()).forEach(i -> byChunk[LAYOUT.chunkOf(i)]++);
      int rotating = Arrays.stream(byChunk, PINNED, CHUNKS).sum();
      shares += Arrays.stream(byChunk, PINNED, CHUNKS).max().orElse(0) / Math.max(1.0, rotating);
    }
    assertThat(shares / DRAWS.size()).isLessThan(0.7);
  }

  @Test
  void theOldestIsUsedUpFirstSoThatTheNextIsLoadedInTime() {
    assertThat(DRAWS).allMatch(draw -> draw.fetch().length == 0);
  }

  @Test
  void batchesAreAsRandomAsIfDrawnFromTenBatchesOrMore() {
    double pairs = EPOCHS.get(1).pairsMeetingAgain(EPOCHS.get(0)).ratio();
    assertThat((double) ITEMS / BATCH / pairs).isGreaterThan(10);
  }
}
