package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Figures of orders whose randomness is known. */
class ShuffleQualityTest {
  private static final int ITEMS = 20_000;
  private static final int BATCH = 50;

  // Sorted by class, ten of them.
  private static final int[] LABELS = IntStream.range(0, ITEMS).map(i -> i / 2000).toArray();

  @Test
  void aGlobalShuffleGivesWhatIsExpected() {
    ShuffleQuality epoch = epoch(new SeededPermutation(ITEMS, 1));
    ShuffleQuality before = epoch(new SeededPermutation(ITEMS, 2));
    assertThat(epoch.displacement().ratio()).isCloseTo(1, within(0.02));
    assertThat(epoch.classesPerBatch(LABELS).ratio()).isCloseTo(1, within(0.02));
    assertThat(epoch.pairsMeetingAgain(before).ratio()).isCloseTo(1, within(0.2));
    assertThat(epoch.positionAgainstIndex().degreesOfFreedom()).isEqualTo(81);
    assertThat(epoch.positionAgainstIndex().statistic()).isBetween(40.0, 140.0);
    assertThat(epoch.positionAgainstIndex().probability()).isBetween(1e-5, 1 - 1e-5);
  }

  @Test
  void theOrderOfTheDataSetIsNotRandomInAnyWay() {
    ShuffleQuality epoch = new ShuffleQuality(ITEMS);
    for (int first = 0; first < ITEMS; first += BATCH) {
      epoch.add(IntStream.range(first, first + BATCH).toArray());
    }
    assertThat(epoch.displacement().measured()).isZero();
    assertThat(epoch.displacement().expected()).isCloseTo(ITEMS / 3.0, within(1.0));
    assertThat(epoch.classesPerBatch(LABELS).measured()).isEqualTo(1);
    assertThat(epoch.classesPerBatch(LABELS).expected()).isCloseTo(9.948, within(0.002));
    assertThat(epoch.positionAgainstIndex().probability()).isLessThan(1e-9);
    // Every pair meets again: as often as there are pairs in a batch for each item.
    assertThat(epoch.pairsMeetingAgain(epoch).measured()).isEqualTo(ITEMS / 50 * (50 * 49 / 2.0));
  }

  @Test
  void stripesKeepClassesMixedAndChunksMakePairsMeetAgain() {
    ShuffleQuality one = sampled(10, 0);
    ShuffleQuality two = sampled(10, 1);
    assertThat(two.displacement().ratio()).isCloseTo(1, within(0.03));
    assertThat(two.classesPerBatch(LABELS).ratio()).isCloseTo(1, within(0.03));
    // Two chunks of ten rotate at a time, and every batch mixes both.
    assertThat(two.pairsMeetingAgain(one).ratio()).isBetween(2.5, 5.0);
  }

  @Test
  void theTailOfChiSquareIsThatOfTheTables() {
    assertThat(ChiSquare.probability(103.010, 81)).isCloseTo(0.05, within(0.001));
    assertThat(ChiSquare.probability(113.512, 81)).isCloseTo(0.01, within(0.0005));
    assertThat(ChiSquare.probability(18.307, 10)).isCloseTo(0.05, within(0.002));
    assertThat(ChiSquare.probability(0, 0)).isEqualTo(1);
  }

  @Test
  void shortAndEmptyEpochsHaveFiguresToo() {
    ShuffleQuality empty = new ShuffleQuality(0);
    assertThat(empty.displacement().ratio()).isEqualTo(1);
    assertThat(empty.classesPerBatch(new int[0]).ratio()).isEqualTo(1);
    assertThat(empty.pairsMeetingAgain(empty).ratio()).isEqualTo(1);
    assertThat(empty.positionAgainstIndex().probability()).isEqualTo(1);
    ShuffleQuality one = new ShuffleQuality(5);
    one.add(new int[] {3});
    assertThat(one.classesPerBatch(new int[5]).measured()).isEqualTo(1);
    assertThatThrownBy(() -> one.add(new int[] {3})).hasMessageContaining("item 3 came before");
  }

  private static ShuffleQuality epoch(SeededPermutation order) {
    ShuffleQuality epoch = new ShuffleQuality(ITEMS);
    for (int first = 0; first < ITEMS; first += BATCH) {
      epoch.add(IntStream.range(first, first + BATCH).map(order::at).toArray());
    }
    return epoch;
  }

  /** Returns a ring of two chunks and nothing pinned. */
  private static ShuffleQuality sampled(int chunks, int number) {
    ShuffleQuality epoch = new ShuffleQuality(ITEMS);
    EpochOrder sampler =
        EpochOrder.begin(
            SamplerKind.SUBSTITUTE, OrderSetup.single(ITEMS, chunks, BATCH, 3), number);
    int front = 0;
    while (!sampler.finished()) {
      front += front + 2 < chunks && sampler.available(front) == 0 ? 1 : 0;
      Residency window = new Residency(List.of(), List.of(front, front + 1), List.of());
      Draw draw = sampler.draw(window, RingRole.FOLLOWER).orElseThrow();
      int[] batch = Arrays.copyOf(draw.candidates(), draw.want());
      sampler.settle(draw, batch);
      epoch.add(batch);
    }
    return epoch;
  }
}
