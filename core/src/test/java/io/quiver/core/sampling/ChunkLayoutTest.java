package io.quiver.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.testing.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChunkLayoutTest {

  @Test
  void everyItemBelongsToExactlyOneChunkForEverySmallSize() {
    for (int items = 0; items <= 130; items++) {
      for (int chunks = 1; chunks <= 14; chunks++) {
        requireExactCover(new ChunkLayout(items, chunks));
      }
    }
  }

  @Test
  void everyItemBelongsToExactlyOneChunkForRandomSizes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int run = 0; run < 50; run++) {
      ChunkLayout layout =
          new ChunkLayout(random.nextInt(50_000), 1 + random.nextInt(run % 2 == 0 ? 12 : 300));
      assertThat(coverProblem(layout)).as("seed %s, %s", seed, layout).isEmpty();
    }
  }

  @Test
  void matchesTheDefinitionByFloorsAndCeilings() {
    long items = 1_281_167;
    long chunks = 97;
    ChunkLayout layout = new ChunkLayout((int) items, (int) chunks);
    for (long i = 0; i < items; i += 13) {
      long p = i * chunks / items;
      long lo = Math.ceilDiv(p * items, chunks);
      long length = Math.ceilDiv((p + 1) * items, chunks) - lo;
      assertThat(layout.partitionOf((int) i)).isEqualTo((int) p);
      assertThat(layout.chunkOf((int) i)).isEqualTo((int) ((i - lo) * chunks / length));
    }
  }

  @Test
  void chunksOfALargeDataSetAreOfEqualSizeAndReachEveryPartition() {
    ChunkLayout layout = new ChunkLayout(1_000_000_000, 100);
    for (int chunk = 0; chunk < 100; chunk++) {
      assertThat(layout.size(chunk)).isEqualTo(10_000_000);
      for (int partition = 0; partition < 100; partition++) {
        int item = layout.member(chunk, layout.unitStart(chunk, partition));
        assertThat(layout.partitionOf(item)).isEqualTo(partition);
        assertThat(layout.chunkOf(item)).isEqualTo(chunk);
      }
    }
  }

  @Test
  void refusesWhatIsOutside() {
    ChunkLayout layout = new ChunkLayout(10, 3);
    assertThatThrownBy(() -> layout.chunkOf(10)).hasMessageContaining("item 10 of 10");
    assertThatThrownBy(() -> layout.size(3)).hasMessageContaining("chunk 3 of 3");
    assertThatThrownBy(() -> layout.member(0, layout.size(0)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> new ChunkLayout(10, 0)).hasMessageContaining("0 chunks");
  }

  private static void requireExactCover(ChunkLayout layout) {
    assertThat(coverProblem(layout)).as(layout.toString()).isEmpty();
  }

  private static List<String> coverProblem(ChunkLayout layout) {
    List<String> problems = new ArrayList<>();
    int[] seen = new int[layout.items()];
    for (int chunk = 0; chunk < layout.chunks(); chunk++) {
      int last = -1;
      for (int place = 0; place < layout.size(chunk); place++) {
        int item = layout.member(chunk, place);
        seen[item]++;
        if (item <= last || layout.chunkOf(item) != chunk) {
          problems.add("item " + item + " at place " + place + " of chunk " + chunk);
        }
        last = item;
      }
    }
    for (int item = 0; item < seen.length; item++) {
      if (seen[item] != 1) {
        problems.add("item " + item + " seen " + seen[item] + " times");
      }
    }
    return problems;
  }

  @Test
  void membersWorkedOutOnceAreTheLayouts() {
    SeededRuns.run(
        200,
        random -> {
          ChunkLayout layout =
              new ChunkLayout(
                  random.nextInt(5000), 1 + random.nextInt(random.nextBoolean() ? 5 : 90));
          int chunk = random.nextInt(layout.chunks());
          ChunkMembers members = new ChunkMembers(layout, chunk);
          assertThat(members.size()).isEqualTo(layout.size(chunk));
          for (int place = 0; place < members.size(); place++) {
            assertThat(members.at(place)).isEqualTo(layout.member(chunk, place));
          }
        });
  }

  @Test
  void unitsAreTheNeighboursThatAChunkHasInAPartition() {
    for (int items : new int[] {0, 1, 7, 99, 1000}) {
      ChunkLayout layout = new ChunkLayout(items, 9);
      int item = 0;
      for (int partition = 0; partition < 9; partition++) {
        assertThat(layout.partitionFirst(partition)).isEqualTo(item);
        for (int chunk = 0; chunk < 9; chunk++) {
          assertThat(layout.unitFirst(chunk, partition)).isEqualTo(item);
          for (int i = layout.unitSize(chunk, partition); i > 0; i--) {
            assertThat(layout.chunkOf(item)).isEqualTo(chunk);
            assertThat(layout.partitionOf(item++)).isEqualTo(partition);
          }
        }
      }
      assertThat(item).isEqualTo(items);
    }
  }
}
