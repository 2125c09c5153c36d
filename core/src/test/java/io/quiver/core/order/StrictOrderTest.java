package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.order.OrderedJob.Manner;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StrictOrderTest {
  private static final Residency SOME = new Residency(List.of(0, 2), List.of(1), List.of());

  @Test
  void theOrderIsTheSameWhateverIsResident() {
    SeededRuns.run(
        20,
        random -> {
          int items = 1 + random.nextInt(500);
          OrderSetup setup = OrderSetup.single(items, 5, 16, random.nextLong());
          OrderedJob job =
              new OrderedJob(setup.layout(), Manner.COMPLETES, 1, new Random(random.nextLong()));
          int[] order = job.play(begin(setup), Integer.MAX_VALUE, new int[items]).order();
          assertThat(order).isEqualTo(order(begin(setup)));
        });
  }

  @Test
  void ranksTakeByTurnsOfOneOrderAndBeginAnewForPadding() {
    SeededRuns.run(
        50,
        random -> {
          int items = 1 + random.nextInt(200);
          int ranks = 1 + random.nextInt(9);
          OrderSetup single = OrderSetup.single(items, 3, 7, 11);
          int[] global = order(begin(single));
          int each = (items + ranks - 1) / ranks;
          for (int rank = 0; rank < ranks; rank++) {
            // What DistributedSampler does: repeat the list from its start, then every W-th.
            int first = rank;
            int[] expected =
                IntStream.range(0, each).map(i -> global[(first + i * ranks) % items]).toArray();
            OrderSetup setup =
                new OrderSetup(items, 3, 7, 11, rank, ranks, false).withEqualSteps(EqualSteps.PAD);
            assertThat(order(begin(setup))).isEqualTo(expected);
          }
        });
  }

  @Test
  void asManyRanksGoOnAfterAnInterruptionAsIfNothingHadHappened() {
    int ranks = 3;
    List<EpochState> states = new ArrayList<>();
    List<int[]> uninterrupted = new ArrayList<>();
    List<List<Integer>> taken = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      OrderSetup setup = new OrderSetup(1000, 4, 10, 5, rank, ranks, false);
      uninterrupted.add(order(begin(setup)));
      EpochOrder sampler = begin(setup);
      List<Integer> items = new ArrayList<>();
      for (int step = 0; step < 7; step++) {
        Draw draw = sampler.draw(SOME, RingRole.LEADER).orElseThrow();
        Arrays.stream(draw.fetch()).forEach(items::add);
        sampler.settle(draw, draw.fetch());
      }
      states.add(sampler.state());
      taken.add(items);
    }
    EpochState state = EpochState.merge(states);
    for (int rank = 0; rank < ranks; rank++) {
      OrderSetup setup = new OrderSetup(1000, 4, 10, 5, rank, ranks, false);
      EpochOrder sampler = EpochOrder.resume(SamplerKind.STRICT, setup, state);
      Arrays.stream(order(sampler)).forEach(taken.get(rank)::add);
      assertThat(taken.get(rank).stream().mapToInt(Integer::intValue).toArray())
          .isEqualTo(uninterrupted.get(rank));
    }
  }

  @Test
  void whatIsUpcomingIsWhatIsDrawn() {
    SeededRuns.run(
        30,
        random -> {
          int items = 1 + random.nextInt(300);
          int ranks = 1 + random.nextInt(3);
          EpochOrder sampler =
              begin(
                  new OrderSetup(
                      items, 4, 1 + random.nextInt(20), 9, random.nextInt(ranks), ranks, false));
          while (!sampler.finished()) {
            int[] upcoming = sampler.upcoming(50);
            assertThat(sampler.upcoming(Integer.MAX_VALUE)).hasSize(sampler.available());
            Draw draw = sampler.draw(SOME, RingRole.LEADER).orElseThrow();
            int known = Math.min(upcoming.length, draw.size());
            assertThat(Arrays.copyOf(draw.fetch(), known))
                .isEqualTo(Arrays.copyOf(upcoming, known));
            sampler.settle(draw, Arrays.copyOf(draw.fetch(), 1 + random.nextInt(draw.size())));
          }
        });
  }

  @Test
  void whatIsLeftInAChunkIsCounted() {
    OrderSetup setup = new OrderSetup(500, 7, 30, 3, 1, 2, false);
    EpochOrder sampler = begin(setup);
    for (int step = 0; step < 4; step++) {
      Draw draw = sampler.draw(SOME, RingRole.LEADER).orElseThrow();
      sampler.settle(draw, Arrays.copyOf(draw.fetch(), 20));
      int[] rest = sampler.upcoming(Integer.MAX_VALUE);
      for (int chunk = 0; chunk < 7; chunk++) {
        int wanted = chunk;
        assertThat(sampler.available(chunk))
            .isEqualTo(
                (int)
                    Arrays.stream(rest)
                        .filter(item -> setup.layout().chunkOf(item) == wanted)
                        .count());
      }
    }
  }

  @Test
  void homogeneousBatchesAreRefused() {
    OrderSetup setup = OrderSetup.single(10, 1, 2, 3).withHomogeneous(true);
    assertThatThrownBy(() -> begin(setup)).hasMessageContaining("use the sampler substitute");
  }

  private static EpochOrder begin(OrderSetup setup) {
    return EpochOrder.begin(SamplerKind.STRICT, setup, 2);
  }

  private static int[] order(EpochOrder sampler) {
    List<Integer> items = new ArrayList<>();
    while (!sampler.finished()) {
      Draw draw = sampler.draw(SOME, RingRole.FOLLOWER).orElseThrow();
      Arrays.stream(draw.fetch()).forEach(items::add);
      sampler.settle(draw, draw.fetch());
    }
    return items.stream().mapToInt(Integer::intValue).toArray();
  }
}
