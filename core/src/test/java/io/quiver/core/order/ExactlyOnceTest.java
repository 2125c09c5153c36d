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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every item exactly once per epoch over all ranks, whatever the cache and the loader do. */
class ExactlyOnceTest {
  private static final int RUNS = Boolean.getBoolean("quiver.test.long") ? 20_000 : 120;

  /** A job chosen at random. */
  private record Case(
      SamplerKind kind,
      int items,
      int chunks,
      int batch,
      EqualSteps equalSteps,
      boolean homogeneous,
      boolean dropLast,
      long seed,
      Manner manner,
      int depth) {

    static Case random(SamplerKind kind, Random random) {
      return new Case(
          kind,
          random.nextInt(random.nextBoolean() ? 40 : 3000),
          1 + random.nextInt(random.nextBoolean() ? 4 : 30),
          1 + random.nextInt(random.nextBoolean() ? 4 : 100),
          List.of(EqualSteps.values()).get(random.nextInt(3)),
          kind != SamplerKind.STRICT && random.nextInt(3) == 0,
          random.nextInt(4) == 0,
          random.nextLong(),
          List.of(Manner.values()).get(random.nextInt(3)),
          1 + random.nextInt(4));
    }

    OrderSetup setup(int rank, int ranks) {
      return new OrderSetup(
          items, chunks, batch, seed, rank, ranks, dropLast, equalSteps, homogeneous);
    }

    OrderedJob job(Random random) {
      return new OrderedJob(new ChunkLayout(items, chunks), manner, depth, random);
    }
  }

  @ParameterizedTest
  @EnumSource(SamplerKind.class)
  void overAllRanks(SamplerKind kind) {
    SeededRuns.run(
        RUNS,
        random -> {
          Case run = Case.random(kind, random);
          int ranks = 1 + random.nextInt(5);
          int[] seen = new int[run.items()];
          List<Outcome> outcomes = new ArrayList<>();
          for (int rank = 0; rank < ranks; rank++) {
            EpochOrder sampler = EpochOrder.begin(kind, run.setup(rank, ranks), 3);
            outcomes.add(run.job(random).play(sampler, Integer.MAX_VALUE, seen));
          }
          checkCounts(run, ranks, seen, run.toString());
          checkSteps(run, ranks, outcomes);
        });
  }

  @ParameterizedTest
  @EnumSource(SamplerKind.class)
  void afterInterruptionsAtAnyBatchWithAnyNumberOfRanks(SamplerKind kind) {
    SeededRuns.run(
        RUNS,
        random -> {
          Case run = Case.random(kind, random);
          int[] seen = new int[run.items()];
          EpochState state =
              new EpochState(run.seed(), 1, run.items(), new long[(run.items() + 63) / 64]);
          int legs = 1 + random.nextInt(4);
          for (int leg = 0; leg < legs; leg++) {
            int ranks = 1 + random.nextInt(5);
            int most = 1 + run.items() / run.batch() / ranks;
            List<EpochState> states = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
              EpochOrder sampler = EpochOrder.resume(kind, run.setup(rank, ranks), state);
              int steps = leg == legs - 1 ? Integer.MAX_VALUE : random.nextInt(most);
              run.job(random).play(sampler, steps, seen);
              states.add(sampler.state());
            }
            state = EpochState.merge(states);
            checkState(state, seen);
            if (leg == legs - 1) {
              checkCounts(run, ranks, seen, run.toString());
            }
          }
        });
  }

  /** What may be left out: by each rank less than a batch, or what does not divide evenly. */
  private static void checkCounts(Case run, int ranks, int[] seen, String text) {
    int left = (int) IntStream.of(seen).filter(times -> times == 0).count();
    assertThat(IntStream.of(seen).filter(times -> times > 1).count()).as(text).isZero();
    int mayLeave =
        (run.dropLast() ? ranks * (run.batch() - 1) : 0)
            + (run.equalSteps() == EqualSteps.DROP ? ranks - 1 : 0);
    assertThat(left).as(text).isLessThanOrEqualTo(mayLeave);
  }

  private static void checkSteps(Case run, int ranks, List<Outcome> outcomes) {
    int padded = outcomes.stream().mapToInt(Outcome::padded).sum();
    boolean padding = run.equalSteps() == EqualSteps.PAD && !run.dropLast();
    int uneven = run.items() % ranks;
    if (!run.dropLast()) {
      assertThat(padded).isEqualTo(padding && uneven > 0 ? ranks - uneven : 0);
    }
    if (run.equalSteps() != EqualSteps.OFF && run.manner() == Manner.COMPLETES) {
      assertThat(outcomes.stream().map(Outcome::steps).distinct()).hasSize(1);
    }
  }

  private static void checkState(EpochState state, int[] seen) {
    assertThat(state.deliveredItems()).isEqualTo(IntStream.of(seen).sum());
  }

  @Test
  void aStateOfAnotherJobIsRefused() {
    EpochState state = new EpochState(1, 0, 100, new long[2]);
    for (SamplerKind kind : SamplerKind.values()) {
      assertThatThrownBy(() -> EpochOrder.resume(kind, OrderSetup.single(100, 4, 10, 2), state))
          .hasMessageContaining("does not fit");
    }
  }
}
