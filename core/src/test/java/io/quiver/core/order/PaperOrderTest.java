package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Algorithm 1 as the paper has it. */
class PaperOrderTest {
  private static final ChunkLayout LAYOUT = new ChunkLayout(10_000, 10);
  private static final Residency NEWEST = new Residency(List.of(), List.of(3), List.of(4));

  private final EpochOrder sampler =
      EpochOrder.begin(SamplerKind.PAPER, OrderSetup.single(10_000, 10, 50, 1), 0);

  @Test
  void tenTimesTheBatchIsLookedUpWhateverIsResident() {
    Draw draw = sampler.draw(NEWEST, RingRole.LEADER).orElseThrow();
    assertThat(draw.want()).isEqualTo(50);
    assertThat(draw.candidates()).hasSize(500).doesNotHaveDuplicates();
    // A tenth of random items is in any chunk: 50, give or take.
    for (int chunk = 0; chunk < 10; chunk++) {
      assertThat(inChunk(draw.candidates(), chunk)).isBetween(20L, 85L);
    }
  }

  @Test
  void whatIsLackingIsReadFromTheCurrentChunk() {
    Draw draw = sampler.draw(NEWEST, RingRole.LEADER).orElseThrow();
    int[] missing = draw.missing(Arrays.copyOf(draw.candidates(), 20));
    assertThat(missing).hasSize(30);
    assertThat(inChunk(missing, 4)).isEqualTo(30);
  }

  @Test
  void everyPendingItemIsLookedUpOnceInAPass() {
    Set<Integer> named = new HashSet<>();
    for (int lookup = 0; lookup < 20; lookup++) {
      Draw draw = sampler.draw(NEWEST, RingRole.LEADER).orElseThrow();
      Arrays.stream(draw.candidates()).forEach(named::add);
      int[] hits = Arrays.stream(draw.candidates()).filter(PaperOrderTest::cached).toArray();
      sampler.settle(draw, Arrays.copyOf(hits, draw.want()));
    }
    assertThat(named).hasSize(10_000);
  }

  private static boolean cached(int item) {
    return LAYOUT.chunkOf(item) == 3 || LAYOUT.chunkOf(item) == 7;
  }

  @Test
  void aPassThatFindsTooLittleIsFollowedByReadsFromTheCurrentChunk() {
    Draw first = sampler.draw(NEWEST, RingRole.LEADER).orElseThrow();
    sampler.settle(first, Arrays.copyOf(first.candidates(), 10));
    Draw second = sampler.draw(NEWEST, RingRole.LEADER).orElseThrow();
    assertThat(second.fetch()).hasSize(40);
    assertThat(inChunk(second.fetch(), 4)).isEqualTo(40);
    assertThat(second.want()).isEqualTo(10);
  }

  @Test
  void aDrainedChunkIsSeenToBeDrainedAndTheNextFollows() {
    int[] order = new int[30];
    for (int step = 0; step < 30; step++) {
      Draw draw = sampler.draw(NEWEST, RingRole.LEADER).orElseThrow();
      int[] reads = draw.missing(new int[0]);
      order[step] = LAYOUT.chunkOf(reads[reads.length - 1]);
      sampler.settle(draw, reads);
    }
    assertThat(sampler.available(4)).isZero();
    assertThat(order[0]).isEqualTo(4);
    assertThat(order[29]).isEqualTo(5);
  }

  private static long inChunk(int[] items, int chunk) {
    return Arrays.stream(items).filter(item -> LAYOUT.chunkOf(item) == chunk).count();
  }
}
