package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EpochOrderTest {
  /** A tenth of the cache is lost: batches pass over it, and come back to it at the end. */
  @Test
  void whatIsNotThereAfterAllIsNotAskedForAgainAtOnce() {
    OrderSetup setup = OrderSetup.single(10_000, 10, 100, 1);
    EpochOrder sampler = EpochOrder.begin(SamplerKind.SUBSTITUTE, setup, 0);
    List<Integer> all = IntStream.range(0, 10).boxed().toList();
    Residency residency = new Residency(all, List.of(), List.of());
    int fetched = 0;
    for (int batch = 0; batch < 80; batch++) {
      Draw draw = sampler.draw(residency, RingRole.LEADER).orElseThrow();
      int[] found =
          Arrays.stream(draw.candidates())
              .filter(item -> item % 10 != 3)
              .limit(draw.want())
              .toArray();
      int[] missing = draw.missing(found);
      fetched += missing.length;
      sampler.settle(draw, IntStream.concat(IntStream.of(found), IntStream.of(missing)).toArray());
    }
    assertThat(fetched).isLessThan(200);
  }

  @Test
  void ranksDifferByAtMostOneItem() {
    for (int ranks = 1; ranks < 9; ranks++) {
      int least = Integer.MAX_VALUE;
      int most = 0;
      for (int rank = 0; rank < ranks; rank++) {
        int share =
            EpochOrder.begin(
                    SamplerKind.SUBSTITUTE,
                    new OrderSetup(10_007, 13, 10, 5, rank, ranks, false),
                    0)
                .available();
        least = Math.min(least, share);
        most = Math.max(most, share);
      }
      assertThat(most - least).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void residentItemsComeBeforeAnyFetch() {
    EpochOrder sampler =
        EpochOrder.begin(SamplerKind.SUBSTITUTE, OrderSetup.single(1000, 10, 20, 1), 0);
    Residency residency = new Residency(List.of(0, 1), List.of(2), List.of(3));
    for (int batch = 0; batch < 15; batch++) {
      Draw draw = sampler.draw(residency, RingRole.LEADER).orElseThrow();
      assertThat(draw.fetch()).isEmpty();
      sampler.settle(draw, Arrays.copyOf(draw.candidates(), draw.want()));
    }
    Draw draw = sampler.draw(residency, RingRole.LEADER).orElseThrow();
    assertThat(draw.candidates()).isEmpty();
    ChunkLayout layout = new ChunkLayout(1000, 10);
    assertThat(draw.fetch()).hasSize(20);
    assertThat(Arrays.stream(draw.fetch())).allMatch(item -> layout.chunkOf(item) == 3);
  }

  @Test
  void aJobThatSetsThePaceMixesPinnedAndWindowInProportion() {
    // 40 of 100 chunks are pinned, so six items of ten should come from the window.
    EpochOrder sampler =
        EpochOrder.begin(SamplerKind.SUBSTITUTE, OrderSetup.single(100_000, 100, 100, 1), 0);
    List<Integer> pinned = IntStream.range(0, 40).boxed().toList();
    ChunkLayout layout = new ChunkLayout(100_000, 100);
    int fromWindow = 0;
    for (int batch = 0; batch < 20; batch++) {
      Draw draw =
          sampler
              .draw(new Residency(pinned, List.of(50, 51), List.of()), RingRole.LEADER)
              .orElseThrow();
      int[] taken = Arrays.copyOf(draw.candidates(), draw.want());
      fromWindow += (int) Arrays.stream(taken).filter(item -> layout.chunkOf(item) >= 50).count();
      sampler.settle(draw, taken);
    }
    assertThat(fromWindow).isBetween(1195, 1205);
  }

  @Test
  void aJobThatFollowsTakesTheWindowFirst() {
    EpochOrder sampler =
        EpochOrder.begin(SamplerKind.SUBSTITUTE, OrderSetup.single(10_000, 10, 100, 1), 0);
    ChunkLayout layout = new ChunkLayout(10_000, 10);
    Draw draw =
        sampler
            .draw(new Residency(List.of(0), List.of(7, 8), List.of()), RingRole.FOLLOWER)
            .orElseThrow();
    assertThat(Arrays.stream(draw.candidates(), 0, 100))
        .allMatch(item -> layout.chunkOf(item) >= 7);
  }

  @Test
  void theSameSeedGivesTheSameBatchesAndAnotherEpochOthers() {
    int[] one = order(7, 0);
    assertThat(order(7, 0)).isEqualTo(one);
    assertThat(order(7, 1)).isNotEqualTo(one);
    assertThat(order(8, 0)).isNotEqualTo(one);
  }

  @Test
  void dropLastLeavesOutOnlyTheShortBatch() {
    OrderSetup setup = new OrderSetup(105, 4, 10, 1, 0, 1, true);
    EpochOrder sampler = EpochOrder.begin(SamplerKind.SUBSTITUTE, setup, 0);
    int items = 0;
    while (!sampler.finished()) {
      Draw draw = sampler.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
      items += draw.size();
      sampler.settle(draw, draw.fetch());
    }
    assertThat(items).isEqualTo(100);
    assertThat(sampler.draw(Residency.NONE, RingRole.LEADER)).isEmpty();
  }

  @Test
  void deliveringWhatIsNotOutIsRefused() {
    EpochOrder sampler =
        EpochOrder.begin(SamplerKind.SUBSTITUTE, OrderSetup.single(100, 4, 10, 1), 0);
    Draw draw = sampler.draw(Residency.NONE, RingRole.LEADER).orElseThrow();
    sampler.settle(draw, draw.fetch());
    assertThatThrownBy(() -> sampler.settle(draw, draw.fetch()))
        .hasMessageContaining("was not out");
  }

  private static int[] order(long seed, int epoch) {
    EpochOrder sampler =
        EpochOrder.begin(SamplerKind.SUBSTITUTE, OrderSetup.single(500, 5, 10, seed), epoch);
    List<Integer> items = new ArrayList<>();
    while (!sampler.finished()) {
      Draw draw =
          sampler
              .draw(new Residency(List.of(0, 2), List.of(1), List.of()), RingRole.LEADER)
              .orElseThrow();
      int[] taken =
          IntStream.concat(
                  Arrays.stream(draw.candidates(), 0, draw.want()), Arrays.stream(draw.fetch()))
              .toArray();
      Arrays.stream(taken).forEach(items::add);
      sampler.settle(draw, taken);
    }
    return items.stream().mapToInt(Integer::intValue).toArray();
  }
}
