package io.quiver.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
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
  void dealsNeighboursToTheChunksInTurn() {
    ChunkLayout layout = new ChunkLayout(1_281_167, 97);
    assertThat(layout.unit()).isEqualTo(4);
    for (int item = 0; item < layout.items(); item += 13) {
      assertThat(layout.chunkOf(item)).isEqualTo(item / 4 % 97);
      assertThat(layout.partitionOf(item)).isEqualTo(item / (4 * 97));
    }
  }

  @Test
  void unitsGrowWithLargeDataSetsAndShrinkWithSmallOnes() {
    assertThat(new ChunkLayout(1_000_000_000, 100).unit()).isEqualTo(2442);
    assertThat(new ChunkLayout(10_000, 31).unit()).isEqualTo(2);
    assertThat(new ChunkLayout(1000, 10).unit()).isEqualTo(1);
    assertThat(new ChunkLayout(100, 10).unit()).isEqualTo(1);
    assertThat(new ChunkLayout(5, 10).unit()).isEqualTo(1);
  }

  @Test
  void chunksDifferByOneUnitAtMost() {
    SeededRuns.run(
        200,
        random -> {
          int items = random.nextInt(random.nextBoolean() ? 500 : 2_000_000_000);
          ChunkLayout layout = new ChunkLayout(items, 1 + random.nextInt(300));
          IntSummaryStatistics sizes =
              IntStream.range(0, layout.chunks()).map(layout::size).summaryStatistics();
          assertThat(sizes.getSum()).isEqualTo(items);
          assertThat(sizes.getMax() - sizes.getMin()).isLessThanOrEqualTo(layout.unit());
        });
  }

  @Test
  void everyChunkOfALargeDataSetReachesEveryPartition() {
    ChunkLayout layout = new ChunkLayout(1_000_000_000, 100);
    for (int partition = 0; partition < layout.partitions(); partition += 17) {
      for (int chunk = 0; chunk < 100; chunk += 9) {
        int item = layout.member(chunk, partition * layout.unit());
        assertThat(item).isEqualTo(layout.unitFirst(chunk, partition));
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
  void aCursorVisitsTheMembersOfTheLayout() {
    SeededRuns.run(
        200,
        random -> {
          ChunkLayout layout =
              new ChunkLayout(
                  random.nextInt(5000), 1 + random.nextInt(random.nextBoolean() ? 5 : 90));
          int chunk = random.nextInt(layout.chunks());
          ChunkCursor cursor = new ChunkCursor(layout, chunk, 7, 0, 1);
          SeededPermutation order = new SeededPermutation(layout.size(chunk), 7);
          assertThat(cursor.reach()).isEqualTo(layout.size(chunk));
          for (int place = 0; place < order.size(); place++) {
            assertThat(cursor.next()).isEqualTo(layout.member(chunk, order.at(place)));
          }
        });
  }

  @Test
  void unitsAreTheNeighboursThatAChunkHasInAPartition() {
    for (int items : new int[] {0, 1, 7, 99, 1000}) {
      ChunkLayout layout = new ChunkLayout(items, 9);
      int item = 0;
      for (int partition = 0; partition < layout.partitions(); partition++) {
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
