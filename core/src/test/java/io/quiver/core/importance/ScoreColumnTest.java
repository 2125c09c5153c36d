package io.quiver.core.importance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Columns come back as they were told, and nothing else is taken for one. */
final class ScoreColumnTest {
  private static final long DATASET = 0x8b0c940ea2bacea9L;
  private static final int ITEMS = 1_000;
  private static final int BATCH = 64;

  private static int[] scores(long seed) {
    Random random = new Random(seed);
    int[] scores = new int[ITEMS];
    Arrays.setAll(
        scores,
        any -> random.nextBoolean() ? RankScore.NONE : RankScore.score(random.nextInt(BATCH)));
    return scores;
  }

  private static ByteBuffer encoded() {
    return ScoreColumn.of(7, BATCH, scores(1)).encode(DATASET, 0);
  }

  @Test
  void aColumnComesBackAsItWas() {
    ScoreColumn back = ScoreColumn.decode(encoded(), DATASET, ITEMS);
    assertThat(back.scores()).isEqualTo(scores(1));
    assertThat(back.round()).isEqualTo(7);
    assertThat(back.largestBatch()).isEqualTo(BATCH);
  }

  @Test
  void anotherSaltChangesTheBytesAndNothingElse() {
    ByteBuffer salted = ScoreColumn.of(7, BATCH, scores(1)).encode(DATASET, 3);
    assertThat(salted).isNotEqualTo(encoded());
    assertThat(ScoreColumn.decode(salted, DATASET, ITEMS).scores()).isEqualTo(scores(1));
  }

  @Test
  void columnsOfOtherDataSetsAndLengthsAreRefused() {
    assertThatThrownBy(() -> ScoreColumn.decode(encoded(), DATASET + 1, ITEMS))
        .hasMessageContaining("another data set");
    assertThatThrownBy(() -> ScoreColumn.decode(encoded(), DATASET, ITEMS - 1))
        .hasMessageContaining("4048 bytes are no column of scores of 999 items");
    ByteBuffer cut = encoded().limit(encoded().limit() - 1);
    assertThatThrownBy(() -> ScoreColumn.decode(cut, DATASET, ITEMS))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ScoreColumn.decode(ByteBuffer.allocate(0), DATASET, ITEMS))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void scoresThatNoBatchGivesAreRefused() {
    requireRefused(bytes -> bytes.putInt(ScoreColumn.HEADER_BYTES + 4, Integer.MAX_VALUE));
    requireRefused(bytes -> bytes.putInt(ScoreColumn.HEADER_BYTES + 4, -1));
    requireRefused(bytes -> bytes.putInt(ScoreColumn.HEADER_BYTES + 4, RankScore.score(0) - 1));
    requireRefused(bytes -> bytes.putInt(ScoreColumn.HEADER_BYTES + 4, RankScore.score(BATCH)));
    requireRefused(bytes -> bytes.putInt(12, 0));
    requireRefused(bytes -> bytes.putInt(12, RankScore.MAX_BATCH + 1));
    requireRefused(bytes -> bytes.putInt(16, -1));
    requireRefused(bytes -> bytes.putInt(4, 1));
    requireRefused(bytes -> bytes.put(3, (byte) '2'));
  }

  private static void requireRefused(Consumer<ByteBuffer> damage) {
    ByteBuffer bytes = encoded().order(ByteOrder.LITTLE_ENDIAN);
    damage.accept(bytes);
    assertThatThrownBy(() -> ScoreColumn.decode(bytes, DATASET, ITEMS))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
