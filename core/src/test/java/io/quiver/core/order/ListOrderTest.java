package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListOrderTest {
  private static final ItemList SMALL = new ItemList(20, new int[] {4, 4, 9, 4, 1, 9, 0, 19, 2, 3});

  @Test
  void withoutLookAheadBatchesAreTheListCutInPieces() {
    ListOrder order = ListOrder.begin(OrderSetup.single(20, 2, 4, 7), 0, SMALL, 0);
    List<int[]> batches = new ArrayList<>();
    while (!order.finished()) {
      Draw draw = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
      assertThat(draw.candidates()).isEmpty();
      batches.add(draw.fetch());
      order.settle(draw, draw.fetch());
    }
    assertThat(batches).containsExactly(ints(4, 4, 9, 4), ints(1, 9, 0, 19), ints(2, 3));
    assertThat(order.state().position()).isEqualTo(10);
    assertThat(order.state().ahead()).isEmpty();
  }

  @Test
  void ranksTakeTurnsAndPaddingBeginsTheListAnew() {
    SeededRuns.run(
        50,
        random -> {
          ItemList list = list(1 + random.nextInt(200), random);
          int ranks = 1 + random.nextInt(9);
          OrderSetup setup =
              OrderSetup.single(list.items(), 3, 7, 11).withEqualSteps(EqualSteps.PAD);
          int each = (list.size() + ranks - 1) / ranks;
          for (int rank = 0; rank < ranks; rank++) {
            int first = rank;
            int[] expected =
                IntStream.range(0, each)
                    .map(i -> list.at((first + i * ranks) % list.size()))
                    .toArray();
            ListOrder order = ListOrder.begin(setup.withRank(rank, ranks), 0, list, 0);
            assertThat(readWhole(order)).isEqualTo(expected);
          }
        });
  }

  @Test
  void asManyRanksGoOnAfterAnInterruptionAsIfNothingHadHappened() {
    ItemList list = list(1000, new Random(5));
    OrderSetup setup = OrderSetup.single(list.items(), 4, 10, 5);
    List<ListState> states = new ArrayList<>();
    List<List<Integer>> taken = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      ListOrder order = ListOrder.begin(setup.withRank(rank, 3), 2, list, 0);
      List<Integer> items = new ArrayList<>();
      for (int step = 0; step < 7; step++) {
        Draw draw = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
        Arrays.stream(draw.fetch()).forEach(items::add);
        order.settle(draw, draw.fetch());
      }
      states.add(order.state());
      taken.add(items);
    }
    ListState state = ListState.merge(states);
    assertThat(state.position()).isEqualTo(210);
    assertThat(state.ahead()).isEmpty();
    for (int rank = 0; rank < 3; rank++) {
      ListOrder order = ListOrder.resume(setup.withRank(rank, 3), state, 0);
      Arrays.stream(readWhole(order)).forEach(taken.get(rank)::add);
      ListOrder uninterrupted = ListOrder.begin(setup.withRank(rank, 3), 2, list, 0);
      assertThat(taken.get(rank))
          .containsExactlyElementsOf(Arrays.stream(readWhole(uninterrupted)).boxed().toList());
    }
  }

  @Test
  void aSavedStateIsTheStateAgain() {
    SeededRuns.run(
        100,
        random -> {
          ItemList list = list(1 + random.nextInt(300), random);
          OrderSetup setup = OrderSetup.single(list.items(), 1, 1 + random.nextInt(9), 3);
          ListOrder order = ListOrder.begin(setup.withRank(random.nextInt(3), 3), 4, list, 20);
          int[] seen = new int[list.items()];
          new OrderedJob(setup.layout(), OrderedJob.Manner.FAILS_AT_TIMES, 3, random)
              .play(order, random.nextInt(20), seen);
          ListState state = order.state();
          ListState again =
              ListState.of(state.seed(), state.epoch(), list, state.position(), state.ahead());
          assertThat(again).isEqualTo(state);
          assertThat(again.deliveredEntries()).isEqualTo(IntStream.of(seen).sum());
        });
  }

  @Test
  void residentEntriesComeFirstAndWhatWasPassedOverIsDemandedNext() {
    ItemList list = new ItemList(30, IntStream.range(0, 30).toArray());
    ListOrder order = ListOrder.begin(OrderSetup.single(30, 1, 4, 7), 0, list, 4);
    Draw first = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
    assertThat(first.candidates()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(first.want()).isEqualTo(4);
    assertThat(first.fetch()).isEmpty();
    order.settle(first, ints(1, 2, 4, 5));
    assertThat(order.upcoming(6)).containsExactly(0, 3, 6, 7, 8, 9);
    assertThat(order.state().position()).isZero();

    Draw second = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
    assertThat(second.fetch()).containsExactly(0, 3);
    assertThat(second.want()).isEqualTo(2);
    assertThat(second.candidates()).containsExactly(6, 7, 8, 9, 10, 11);
    order.settle(second, ints(0, 3, 6, 7));
    assertThat(order.state().position()).isEqualTo(8);
  }

  @Test
  void aCacheThatHasNothingLeavesTheOrderOfTheList() {
    ItemList list = list(500, new Random(1));
    OrderSetup setup = OrderSetup.single(list.items(), 1, 16, 7);
    ListOrder order = ListOrder.begin(setup, 0, list, 40);
    List<Integer> read = new ArrayList<>();
    while (!order.finished()) {
      Draw draw = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
      int[] items = draw.missing(new int[0]);
      Arrays.stream(items).sorted().forEach(read::add);
      order.settle(draw, items);
    }
    List<Integer> expected = new ArrayList<>();
    for (int from = 0; from < list.size(); from += 16) {
      int to = Math.min(list.size(), from + 16);
      Arrays.stream(list.entries(), from, to).sorted().forEach(expected::add);
    }
    assertThat(read).isEqualTo(expected);
  }

  @Test
  void anItemIsACandidateOnceInADrawAndItsRepeatsAreFetchedOrWait() {
    ListOrder order = ListOrder.begin(OrderSetup.single(20, 2, 4, 7), 0, SMALL, 4);
    Draw draw = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
    assertThat(draw.candidates()).containsExactly(4, 9, 1, 0, 19);
    assertThat(draw.want()).isEqualTo(2);
    assertThat(draw.fetch()).containsExactly(4, 4);
    order.settle(draw, ints(4, 4, 4, 9));
    assertThat(order.upcoming(10)).containsExactly(1, 9, 0, 19, 2, 3);
  }

  @Test
  void aCopyThatIsBothOwnAndPaddingCountsAsOwnFirst() {
    ItemList list = new ItemList(3, ints(2, 2, 1));
    OrderSetup setup = OrderSetup.single(3, 1, 8, 7).withEqualSteps(EqualSteps.PAD).withRank(1, 2);
    ListOrder order = ListOrder.begin(setup, 0, list, 0);
    Draw draw = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
    assertThat(draw.fetch()).containsExactly(2, 2);
    assertThat(draw.padding()).containsExactly(2);
    assertThat(draw.paddingAmong(ints(2))).isZero();
    assertThat(draw.paddingAmong(ints(2, 2))).isEqualTo(1);
    assertThatThrownBy(() -> order.settle(draw, ints(2, 2, 2))).hasMessageContaining("batch of 2");
    order.settle(draw, ints(2));
    assertThat(order.finished()).isFalse();
    Draw padding = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
    order.settle(padding, padding.fetch());
    assertThat(order.finished()).isTrue();
    assertThat(order.state().deliveredEntries()).isEqualTo(1);
  }

  @Test
  void listsAreNamedByTheirEntriesAndCountTheirDifferentItems() {
    assertThat(SMALL.distinct()).isEqualTo(7);
    assertThat(SMALL.sha256())
        .isEqualTo(new ItemList(20, SMALL.entries()).sha256())
        .isNotEqualTo(new ItemList(21, SMALL.entries()).sha256())
        .isNotEqualTo(new ItemList(20, ints(4, 4, 9)).sha256());
    assertThatThrownBy(() -> new ItemList(4, ints(1, 4))).hasMessageContaining("item 4 of 4");
    OrderSetup homogeneous = OrderSetup.single(20, 1, 4, 7).withHomogeneous(true);
    assertThatThrownBy(() -> ListOrder.begin(homogeneous, 0, SMALL, 0))
        .hasMessageContaining("homogeneous");
    assertThatThrownBy(() -> ListState.of(7, 0, SMALL, 9, new long[] {2}))
        .hasMessageContaining("beyond the last entry");
  }

  private static int[] readWhole(ListOrder order) {
    List<Integer> items = new ArrayList<>();
    while (!order.finished()) {
      Draw draw = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
      Arrays.stream(draw.fetch()).forEach(items::add);
      order.settle(draw, draw.fetch());
    }
    return items.stream().mapToInt(Integer::intValue).toArray();
  }

  private static ItemList list(int size, Random random) {
    int items = 1 + random.nextInt(size);
    return new ItemList(items, random.ints(size, 0, items).toArray());
  }

  private static int[] ints(int... numbers) {
    return numbers;
  }
}
