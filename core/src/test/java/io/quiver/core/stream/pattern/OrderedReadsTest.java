package io.quiver.core.stream.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OrderedReadsTest {
  @Test
  void differentItemsAreSortedWithTheirFirstReads() {
    OrderedReads order = Windows.order(100, 50, 7, 50, 99, 7);
    assertThat(order.distinct).containsExactly(7, 50, 99);
    assertThat(order.firstReads).containsExactly(1, 0, 3);
    assertThat(order.ranks).containsExactly(1, 0, 1, 2, 0);
    assertThat(order.size()).isEqualTo(5);
  }

  @Test
  void aReadThatRepeatsTheOneBeforeIsDropped() {
    OrderedReads order = OrderedReads.of(Windows.listed(10, 3, 3, 3, 4, 3, 3));
    assertThat(order.items).containsExactly(3, 4, 3);
  }

  @Test
  void aReadThatRepeatsTheLatestOfItsOwnReaderIsDropped() {
    int[] items = {1, 5, 1, 5, 2, 6, 2, 6, 1};
    int[] readers = {0, 1, 0, 1, 0, 1, 0, 1, 0};
    OrderedReads order = OrderedReads.of(Windows.byReaders(10, items, readers));
    assertThat(order.items).containsExactly(1, 5, 2, 6, 1);
    assertThat(order.readers).containsExactly(0, 1, 0, 1, 0);
    assertThat(order.previousOfReader(0)).isEqualTo(-1);
    assertThat(order.previousOfReader(3)).isEqualTo(1);
    assertThat(order.previousOfReader(4)).isEqualTo(2);
  }

  @Test
  void burstsAreDroppedAsFarAsTheyReach() {
    OrderedReads order = Windows.order(10, 1, 2, 1, 3, 4, 5, 1, 2);
    assertThat(order.withoutBursts(2).items).containsExactly(1, 2, 3, 4, 5, 1, 2);
    assertThat(order.withoutBursts(4).items).containsExactly(1, 2, 3, 4, 5, 2);
    assertThat(order.withoutBursts(2).population).isEqualTo(10);
  }

  @Test
  void aPopulationThatReadsContradictIsUnknown() {
    assertThat(Windows.order(10, 0, 9).populationKnown).isTrue();
    assertThat(Windows.order(10, 0, 10).populationKnown).isFalse();
    assertThat(Windows.order(10, -1, 3).populationKnown).isFalse();
    assertThat(Windows.order(0, 4, 5, 4).populationKnown).isFalse();
    assertThat(Windows.order(0, 4, 5, 4).population).isEqualTo(2);
  }

  @Test
  void aWindowWithoutReadsHasNone() {
    OrderedReads order = OrderedReads.of(Windows.listed(10));
    assertThat(order.size()).isZero();
    assertThat(order.distinct).isEmpty();
    assertThat(order.populationKnown).isTrue();
  }

  @Test
  void itemsAtBothEndsOfTheNumbersAreSorted() {
    OrderedReads order = Windows.order(0, Integer.MAX_VALUE, Integer.MIN_VALUE, 0, -1);
    assertThat(order.distinct).containsExactly(Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE);
    assertThat(order.ranks).containsExactly(3, 0, 2, 1);
  }
}
