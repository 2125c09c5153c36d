package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.order.OrderedJob.Manner;
import io.quiver.core.order.OrderedJob.Outcome;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract of every {@link BatchOrder}: all ranks together deliver each item as often as the
 * order says, whatever the cache and the loader do.
 */
class BatchOrderContractTest {
  private static final int RUNS = Boolean.getBoolean("quiver.test.long") ? 20_000 : 120;

  /** The orders there are. */
  enum Kind {
    SUBSTITUTE,
    PAPER,
    STRICT,
    LIST,
    LIST_LOOKING_AHEAD;

    boolean isList() {
      return this == LIST || this == LIST_LOOKING_AHEAD;
    }

    BatchOrder begin(Case run, int rank, int ranks) {
      OrderSetup setup = run.setup.withRank(rank, ranks);
      return isList()
          ? ListOrder.begin(setup, 1, run.list, run.lookAhead)
          : EpochOrder.begin(SamplerKind.valueOf(name()), setup, 1);
    }

    BatchOrder resume(Case run, int rank, int ranks, OrderState state) {
      OrderSetup setup = run.setup.withRank(rank, ranks);
      return switch (state) {
        case ListState list -> ListOrder.resume(setup, list, run.lookAhead);
        case EpochState epoch -> EpochOrder.resume(SamplerKind.valueOf(name()), setup, epoch);
      };
    }
  }

  /** A job chosen at random; the list is every item once for orders that have none. */
  record Case(Kind kind, OrderSetup setup, ItemList list, int lookAhead, Manner manner, int depth) {
    static Case random(Kind kind, Random random) {
      int items = random.nextInt(random.nextBoolean() ? 40 : 3000);
      OrderSetup setup =
          new OrderSetup(
                  items,
                  1 + random.nextInt(random.nextBoolean() ? 4 : 30),
                  1 + random.nextInt(random.nextBoolean() ? 4 : 100),
                  random.nextLong(),
                  0,
                  1,
                  random.nextInt(4) == 0)
              .withEqualSteps(List.of(EqualSteps.values()).get(random.nextInt(3)))
              .withHomogeneous(!kind.isList() && kind != Kind.STRICT && random.nextInt(3) == 0);
      return new Case(
          kind,
          setup,
          new ItemList(
              items, kind.isList() ? entries(items, random) : IntStream.range(0, items).toArray()),
          kind == Kind.LIST_LOOKING_AHEAD ? 1 + random.nextInt(60) : 0,
          List.of(Manner.values()).get(random.nextInt(3)),
          1 + random.nextInt(4));
    }

    /** Returns a few items over and over, or many items at random. */
    private static int[] entries(int items, Random random) {
      int size = items == 0 ? 0 : random.nextInt(2 * items);
      int among = items == 0 ? 1 : 1 + random.nextInt(random.nextBoolean() ? items : 1);
      return random.ints(size, 0, among).toArray();
    }

    int size() {
      return list.size();
    }

    int[] lacking() {
      int[] counts = new int[setup.items()];
      IntStream.of(list.entries()).forEach(item -> counts[item]++);
      return counts;
    }

    OrderedJob job(Random random) {
      return new OrderedJob(setup.layout(), manner, depth, random);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void ranksDeliverTogetherWhatTheOrderSays(Kind kind) {
    SeededRuns.run(
        RUNS,
        random -> {
          Case run = Case.random(kind, random);
          int ranks = 1 + random.nextInt(5);
          int[] seen = new int[run.setup.items()];
          List<Outcome> outcomes = new ArrayList<>();
          for (int rank = 0; rank < ranks; rank++) {
            BatchOrder order = kind.begin(run, rank, ranks);
            outcomes.add(run.job(random).play(order, Integer.MAX_VALUE, seen));
            assertThat(order.draw(Residency.NONE, RingRole.LEADER)).isEmpty();
          }
          checkCounts(run, ranks, seen);
          checkSteps(run, ranks, outcomes);
        });
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void anInterruptedEpochGoesOnAtAnyBatchWithAnyNumberOfRanks(Kind kind) {
    SeededRuns.run(
        RUNS,
        random -> {
          Case run = Case.random(kind, random);
          int[] seen = new int[run.setup.items()];
          OrderState state = kind.begin(run, 0, 1).state();
          int legs = 1 + random.nextInt(4);
          for (int leg = 0; leg < legs; leg++) {
            int ranks = 1 + random.nextInt(5);
            int most = 1 + run.size() / run.setup.batch() / ranks;
            List<OrderState> states = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
              BatchOrder order = kind.resume(run, rank, ranks, state);
              int steps = leg == legs - 1 ? Integer.MAX_VALUE : random.nextInt(most);
              run.job(random).play(order, steps, seen);
              states.add(order.state());
            }
            state = merge(states);
            assertThat(delivered(state)).isEqualTo(IntStream.of(seen).sum());
            if (leg == legs - 1) {
              checkCounts(run, ranks, seen);
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsUpcomingIsDrawnNextAndWhatIsLeftIsCounted(Kind kind) {
    SeededRuns.run(
        RUNS / 4,
        random -> {
          Case run = Case.random(kind, random);
          BatchOrder order = kind.begin(run, 0, 1);
          int[] upcoming = order.upcoming(Integer.MAX_VALUE);
          boolean known = kind == Kind.STRICT || kind.isList();
          assertThat(upcoming).hasSize(known ? order.available() : 0);
          int[] left = new int[run.setup.chunks()];
          IntStream.of(run.list.entries())
              .forEach(item -> left[run.setup.layout().chunkOf(item)]++);
          for (int chunk = 0; chunk < left.length; chunk++) {
            assertThat(order.available(chunk)).isEqualTo(left[chunk]);
          }
          if (kind == Kind.STRICT || kind == Kind.LIST) {
            order
                .draw(Residency.NONE, RingRole.LEADER)
                .ifPresent(draw ->
                    assertThat(draw.fetch())
                        .isEqualTo(java.util.Arrays.copyOf(upcoming, draw.size())));
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsNotOutIsRefusedAndNothingChanges(Kind kind) {
    ItemList list = new ItemList(100, IntStream.range(0, 100).toArray());
    OrderSetup setup = OrderSetup.single(100, 4, 10, 1);
    BatchOrder order =
        kind.begin(
            new Case(
                kind, setup, list, kind == Kind.LIST_LOOKING_AHEAD ? 5 : 0, Manner.COMPLETES, 1),
            0,
            1);
    Draw draw = order.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
    int[] whole = draw.missing(new int[0]);
    int[] tooMany = java.util.Arrays.copyOf(whole, whole.length);
    tooMany[0] = tooMany[1];
    OrderState before = order.state();
    assertThatThrownBy(() -> order.settle(draw, tooMany)).hasMessageContaining("was not out");
    assertThat(order.state()).isEqualTo(before);
    order.settle(draw, whole);
    assertThatThrownBy(() -> order.settle(draw, whole)).hasMessageContaining("was not out");
    assertThat(delivered(order.state())).isEqualTo(10);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aStateOfAnotherJobIsRefused(Kind kind) {
    ItemList list = new ItemList(100, new int[] {5, 5, 7});
    Case one = new Case(kind, OrderSetup.single(100, 4, 10, 1), list, 0, Manner.COMPLETES, 1);
    Case other = new Case(kind, OrderSetup.single(100, 4, 10, 2), list, 0, Manner.COMPLETES, 1);
    OrderState state = kind.begin(one, 0, 1).state();
    assertThatThrownBy(() -> kind.resume(other, 0, 1, state)).hasMessageContaining("does not fit");
    OrderState foreign = kind.begin(other, 0, 1).state();
    assertThatThrownBy(() -> merge(List.of(state, foreign)))
        .hasMessageContaining("different epochs or jobs");
  }

  private static OrderState merge(List<OrderState> states) {
    return states.getFirst() instanceof ListState
        ? ListState.merge(states.stream().map(ListState.class::cast).toList())
        : EpochState.merge(states.stream().map(EpochState.class::cast).toList());
  }

  private static int delivered(OrderState state) {
    return switch (state) {
      case ListState list -> list.deliveredEntries();
      case EpochState epoch -> epoch.deliveredItems();
    };
  }

  /**
   * Checks the items left out: by each rank less than a batch, or a remainder that does not divide
   * evenly.
   */
  private static void checkCounts(Case run, int ranks, int[] seen) {
    int[] lacking = run.lacking();
    for (int item = 0; item < seen.length; item++) {
      lacking[item] -= seen[item];
      assertThat(lacking[item]).as("%s: item %s", run, item).isNotNegative();
    }
    int mayLeave =
        (run.setup.dropLast() ? ranks * (run.setup.batch() - 1) : 0)
            + (run.setup.equalSteps() == EqualSteps.DROP ? ranks - 1 : 0);
    assertThat(IntStream.of(lacking).sum()).as("%s", run).isLessThanOrEqualTo(mayLeave);
  }

  private static void checkSteps(Case run, int ranks, List<Outcome> outcomes) {
    int padded = outcomes.stream().mapToInt(Outcome::padded).sum();
    EqualSteps equal = run.setup.equalSteps();
    int uneven = run.size() % ranks;
    if (!run.setup.dropLast()) {
      assertThat(padded).isEqualTo(equal == EqualSteps.PAD && uneven > 0 ? ranks - uneven : 0);
    }
    if (equal != EqualSteps.OFF && run.manner == Manner.COMPLETES) {
      assertThat(outcomes.stream().map(Outcome::steps).distinct()).hasSize(1);
    }
  }
}
