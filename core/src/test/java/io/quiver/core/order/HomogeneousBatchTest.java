package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches whose items are neighbours in the data set, and are still spread over all of it. */
class HomogeneousBatchTest {
  private static final int ITEMS = 40_000;
  private static final int CHUNKS = 20;
  private static final ChunkLayout LAYOUT = new ChunkLayout(ITEMS, CHUNKS);

  // A chunk has 100 items in each of 20 stretches, and a batch 20.
  private static final int STRETCH = ITEMS / CHUNKS;

  private static final OrderSetup SETUP =
      OrderSetup.single(ITEMS, CHUNKS, 20, 5).withHomogeneous(true);

  @ParameterizedTest
  @EnumSource(
      value = SamplerKind.class,
      names = {"SUBSTITUTE", "PAPER"})
  void aBatchComesFromOneStretchAsLongAsOneHasEnough(SamplerKind kind) {
    List<int[]> batches = batches(kind, new Residency(List.of(1, 2), List.of(5), List.of(6)));
    long whole = batches.stream().filter(batch -> stretches(batch) == 1).count();
    long neighbours = batches.stream().filter(batch -> spread(batch) <= 2).count();
    assertThat(batches).hasSize(ITEMS / 20);
    assertThat((double) whole / batches.size()).isGreaterThan(0.75);
    assertThat((double) neighbours / batches.size()).isGreaterThan(0.93);
  }

  @Test
  void aMixedBatchComesFromManyStretches() {
    EpochOrder mixed = EpochOrder.begin(SamplerKind.SUBSTITUTE, SETUP.withHomogeneous(false), 0);
    Draw draw =
        mixed
            .draw(new Residency(List.of(1, 2), List.of(), List.of()), RingRole.LEADER)
            .orElseThrow();
    assertThat(stretches(draw.candidates())).isGreaterThan(5);
  }

  @Test
  void whatIsTakenFromTheWindowAndThePinnedChunksIsAlike() {
    EpochOrder sampler = EpochOrder.begin(SamplerKind.SUBSTITUTE, SETUP, 0);
    Residency residency =
        new Residency(IntStream.range(0, 10).boxed().toList(), List.of(15, 16), List.of());
    Draw draw = sampler.draw(residency, RingRole.LEADER).orElseThrow();
    int[] batch = Arrays.copyOf(draw.candidates(), draw.want());
    assertThat(stretches(batch)).isEqualTo(1);
    assertThat(Arrays.stream(batch).filter(item -> LAYOUT.chunkOf(item) == 15).count())
        .isEqualTo(10);
  }

  @Test
  void stretchesTakeTurnsAtRandomWeightedByWhatTheyHaveLeft() {
    List<int[]> batches =
        batches(SamplerKind.SUBSTITUTE, new Residency(List.of(0, 1, 2, 3), List.of(), List.of()));
    // The first 200 of 400 batches from four chunks: every stretch comes about ten times.
    int[] times = new int[CHUNKS];
    batches.subList(0, 200).forEach(batch -> times[batch[0] / STRETCH]++);
    assertThat(Arrays.stream(times)).allMatch(count -> count >= 2 && count <= 20);
    // And not in any order: a run through the data set would never go back.
    long back =
        IntStream.range(1, 100).filter(i -> batches.get(i)[0] < batches.get(i - 1)[0]).count();
    assertThat(back).isBetween(30L, 70L);
  }

  private static List<int[]> batches(SamplerKind kind, Residency residency) {
    EpochOrder sampler = EpochOrder.begin(kind, SETUP, 0);
    List<int[]> batches = new ArrayList<>();
    while (!sampler.finished()) {
      Draw draw = sampler.draw(residency, RingRole.LEADER).orElseThrow();
      int[] found = Arrays.copyOf(draw.candidates(), draw.want());
      int[] batch =
          IntStream.concat(Arrays.stream(found), Arrays.stream(draw.missing(found))).toArray();
      sampler.settle(draw, batch);
      batches.add(batch);
    }
    return batches;
  }

  private static long stretches(int[] items) {
    return Arrays.stream(items).map(item -> item / STRETCH).distinct().count();
  }

  private static int spread(int[] items) {
    int[] stretches = Arrays.stream(items).map(item -> item / STRETCH).sorted().toArray();
    return 1 + stretches[stretches.length - 1] - stretches[0];
  }
}
