package io.quiver.core.stream.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunTestTest {
  private static double steps(int... items) {
    return new RunTest(Windows.order(0, items)).steps();
  }

  private static double ordered(int... items) {
    return new RunTest(Windows.order(0, items)).ordered(0.8);
  }

  @Test
  void stepsOfOneToFourItemsGoForward() {
    assertThat(steps(0, 1, 3, 6, 10)).isEqualTo(1);
    assertThat(steps(0, 5, 10)).isZero();
    assertThat(steps(10, 9, 8)).isZero();
    assertThat(steps(4, 4, 4)).isZero();
    assertThat(steps(0, 1, 9, 10, 11)).isCloseTo(0.75, within(1e-12));
    assertThat(steps(Integer.MAX_VALUE, Integer.MIN_VALUE)).isZero();
  }

  @Test
  void eachReaderHasItsOwnSteps() {
    int[] items = {0, 500, 1, 501, 2, 502};
    int[] readers = {0, 1, 0, 1, 0, 1};
    OrderedReads apart = OrderedReads.every(Windows.byReaders(1000, items, readers));
    assertThat(new RunTest(apart).steps()).isEqualTo(1);
    assertThat(new RunTest(Windows.order(1000, items)).steps()).isZero();
  }

  @Test
  void readersThatReadOnceHaveNoSteps() {
    int[] items = Windows.scan(0, 1, 10);
    OrderedReads once = OrderedReads.every(Windows.byReaders(10, items, Windows.scan(0, 1, 10)));
    assertThat(new RunTest(once).steps()).isZero();
    int[] half = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4};
    assertThat(new RunTest(OrderedReads.every(Windows.byReaders(10, items, half))).steps())
        .isEqualTo(1);
  }

  @Test
  void neighboursOfMixedRunsAreReadInOrder() {
    SeededRuns.run(
        20,
        random -> {
          for (int readers : new int[] {1, 2, 8, 32}) {
            assertThat(ordered(Windows.parallelScans(20_000, readers, 100, random))).isEqualTo(1);
          }
        });
  }

  @Test
  void neighboursOfAnyDrawnOrderAreReadInOrderHalfOfTheTime() {
    double sum = 0;
    Random random = new Random(5);
    for (int window = 0; window < 500; window++) {
      double share = ordered(Windows.epoch(2000, 100, random));
      // The deviation of one window is √(100/12) of 100.
      assertThat(share).isBetween(0.3, 0.7);
      sum += share;
    }
    assertThat(sum / 500).isCloseTo(0.5, within(0.01));
  }

  @Test
  void readsBackwardsAreNotInOrder() {
    assertThat(ordered(IntStream.range(0, 100).map(i -> 99 - i).toArray())).isZero();
  }

  @Test
  void itemsWithoutACloseNeighbourTellNothing() {
    // Distances of one, and four of ten items far from all others.
    int[] lonely = IntStream.range(0, 100).map(i -> i < 60 ? i : 1000 * (i - 40)).toArray();
    assertThat(ordered(lonely)).isZero();
    assertThat(new RunTest(Windows.order(0, lonely)).ordered(0.4)).isEqualTo(1);
  }

  @Test
  void neighboursAreCloseUpToFourUsualDistances() {
    assertThat(new RunTest(Windows.order(0, 0, 8, 16, 24)).reach()).isEqualTo(32);
    assertThat(new RunTest(Windows.order(0, 7)).reach()).isZero();
    assertThat(ordered(7)).isZero();
    assertThat(ordered()).isZero();
  }

  @Test
  void aScanThatLeavesOutItemsIsInOrder() {
    assertThat(steps(Windows.scan(3, 8, 100))).isZero();
    assertThat(ordered(Windows.scan(3, 8, 100))).isEqualTo(1);
  }
}
