package io.quiver.core.stream.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MovingWindowTestTest {
  private static final int ITEMS = 20_000;

  private static MovingWindowTest test(int population, int... items) {
    OrderedReads order = Windows.order(population, items);
    return new MovingWindowTest(order, new RunTest(order).reach());
  }

  private static boolean moves(int population, int... items) {
    MovingWindowTest test = test(population, items);
    return test.movement() >= test.threshold();
  }

  /** Returns a scan that is shuffled within blocks. */
  private static int[] shuffledBlocks(int first, int block, int reads, Random random) {
    return IntStream.range(0, reads / block)
        .flatMap(number ->
            Arrays.stream(Windows.epoch(block, block, random))
                .map(item -> first + number * block + item))
        .toArray();
  }

  @Test
  void aScanMovesForwardOrBackward() {
    assertThat(test(ITEMS, Windows.scan(0, 1, 100)).movement()).isCloseTo(1, within(1e-9));
    assertThat(test(ITEMS, Windows.scan(9000, -3, 100)).movement()).isCloseTo(1, within(1e-9));
  }

  @Test
  void shuffledBlocksMove() {
    SeededRuns.run(
        20,
        random -> {
          for (int block : new int[] {2, 10, 25, 50}) {
            assertThat(moves(ITEMS, shuffledBlocks(3000, block, 100, random))).isTrue();
          }
        });
  }

  @Test
  void aScanThatBeginsAgainMovesWhereverItEnds() {
    SeededRuns.run(
        5,
        random -> {
          for (int rest = 10; rest < 100; rest += 10) {
            int end = rest;
            int[] items = shuffledBlocks(ITEMS - rest, 5, 100, random);
            int[] again = IntStream.of(items).map(item -> item % ITEMS).toArray();
            assertThat(moves(ITEMS, again)).as("the end after %s reads", end).isTrue();
          }
        });
  }

  @Test
  void severalNarrowWindowsMoveTogether() {
    SeededRuns.run(
        20,
        random -> {
          int[] one = shuffledBlocks(1000, 5, 50, random);
          int[] other = shuffledBlocks(15_000, 5, 50, random);
          int[] mixed =
              IntStream.range(0, 100)
                  .map(read -> read % 2 == 0 ? one[read / 2] : other[read / 2])
                  .toArray();
          assertThat(test(ITEMS, mixed).narrow()).isFalse();
          assertThat(moves(ITEMS, mixed)).isTrue();
        });
  }

  @Test
  void uniformReadsAreNeitherNarrowNorMoving() {
    Random random = new Random(7);
    for (int window = 0; window < 3000; window++) {
      MovingWindowTest test = test(ITEMS, Windows.uniform(ITEMS, 100, random));
      assertThat(test.narrow()).isFalse();
      assertThat(test.movement()).isLessThan(test.threshold());
    }
  }

  @Test
  void aNarrowPartThatDoesNotMoveIsPopular() {
    Random random = new Random(8);
    int moving = 0;
    for (int window = 0; window < 2000; window++) {
      int[] items = Windows.uniform(2000, 100, random);
      assertThat(test(ITEMS, items).narrow()).isTrue();
      moving += moves(ITEMS, items) ? 1 : 0;
    }
    // Two tests of 3.3 deviations, each on two sides.
    assertThat(moving).isLessThan(15);
  }

  @Test
  void narrowReadsNeedLessMovementThanWideOnes() {
    int[] narrow = Windows.scan(0, 1, 101);
    assertThat(test(ITEMS, narrow).threshold()).isCloseTo(0.33, within(1e-9));
    assertThat(test(0, narrow).threshold()).isCloseTo(0.7, within(1e-9));
    assertThat(test(0, Windows.scan(0, 1, 17)).threshold()).isCloseTo(1, within(1e-9));
  }

  @Test
  void narrowReadsLieWithinAQuarterOfTheItems() {
    IntStream reads = IntStream.range(0, 100);
    assertThat(test(ITEMS, reads.map(read -> read % 2 * 4_999).toArray()).narrow()).isTrue();
    IntStream wider = IntStream.range(0, 100);
    assertThat(test(ITEMS, wider.map(read -> read % 2 * 5_000).toArray()).narrow()).isFalse();
  }

  @Test
  void aQuarterOfTheStretchesMayBeWide() {
    int[] items = Windows.scan(0, 1, 100);
    for (int stretch = 0; stretch < 100; stretch += 40) {
      items[stretch] = ITEMS - 1;
    }
    assertThat(test(ITEMS, items).narrow()).as("3 of 10 wide").isFalse();
    items[0] = 0;
    assertThat(test(ITEMS, items).narrow()).as("2 of 10 wide").isTrue();
    assertThat(test(0, items).narrow()).as("of unknown items").isFalse();
    assertThat(test(ITEMS, Windows.scan(0, 1, 9)).narrow()).as("no stretch").isFalse();
  }

  @Test
  void noItemAndOneItemDoNotMove() {
    assertThat(test(ITEMS).movement()).isZero();
    assertThat(test(ITEMS, 5).movement()).isZero();
    assertThat(test(ITEMS, 5, 5, 5).movement()).isZero();
  }
}
