package io.quiver.simulator.igt.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.ListedPage;
import io.quiver.simulator.igt.prefetch.Prefetcher.Asked;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrefetchersTest {
  private static final long BLOCK = StoredFiles.BLOCK_BYTES;

  /** Three directories of three files, each of two blocks and a bit. */
  private static StoredFiles files() {
    SortedMap<String, Long> files = new TreeMap<>();
    for (String directory : List.of("a", "b", "c")) {
      for (int file = 0; file < 3; file++) {
        files.put("data/" + directory + "/" + file, 2 * BLOCK + 7);
      }
    }
    return new StoredFiles(files);
  }

  private static StoredFiles one(int blocks) {
    return new StoredFiles(new TreeMap<>(Map.of("one", blocks * BLOCK)));
  }

  private static List<String> wishes(Prefetcher prefetcher, StoredFiles files, int[]... reads) {
    Recorder recorder = new Recorder(files);
    for (int[] read : reads) {
      prefetcher.asked(new Asked(read[0], read[1], 0), recorder);
    }
    return recorder.wishes;
  }

  @Test
  void filesAreCutIntoBlocksAndListed() {
    StoredFiles files = files();
    assertThat(files.count()).isEqualTo(9);
    assertThat(files.blocks(4)).isEqualTo(3);
    assertThat(files.bytes(4, 0)).isEqualTo(StoredFiles.BLOCK_BYTES);
    assertThat(files.bytes(4, 2)).isEqualTo(7);
    assertThat(files.path(4)).isEqualTo("data/b/1");
    assertThat(files.find("data/b/1")).isEqualTo(4);
    assertThat(files.find("data/b/9")).isEqualTo(-1);
    assertThat(IntStream.range(0, 9).map(files::directory))
        .containsExactly(0, 0, 0, 1, 1, 1, 2, 2, 2);
    Map<String, ListedPage> listings = files.listings();
    assertThat(listings.keySet()).containsExactly("", "data", "data/a", "data/b", "data/c");
    ListedPage data =
        listings.getOrDefault("data", new ListedPage(List.of(), new long[0], true, true));
    assertThat(data.names()).containsExactly("a", "b", "c");
    assertThat(data.bytes()).containsOnly(-1);
  }

  @Test
  void aStrideReadsFourBlocksAfterFourInARow() {
    int[][] reads = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 3}, {0, 9}, {0, 10}};
    assertThat(wishes(BlockPrefetchers.stride(), one(20), reads))
        .containsExactly("0/4", "0/5", "0/6", "0/7");
  }

  @Test
  void aWindowDoublesWhileReadsGoOnAndBeginsAnewElsewhere() {
    int[][] reads = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 30}};
    assertThat(wishes(BlockPrefetchers.doubling(8), one(40), reads))
        .containsExactly(
            "0/1", "0/2", "0/3", "0/4", "0/5", "0/6", "0/7", "0/8", "0/9", "0/10", "0/11");
    assertThat(wishes(BlockPrefetchers.doubling(8), one(40), new int[] {0, 30})).isEmpty();
  }

  @Test
  void neitherLooksBeyondTheEndOfAFile() {
    int[][] reads = {{0, 0}, {0, 1}, {0, 2}};
    assertThat(wishes(BlockPrefetchers.doubling(8), files(), reads)).containsExactly("0/1", "0/2");
  }

  @Test
  void theNextFilesAreReadAsAWholeIntoTheNextDirectory() {
    StoredFiles files = files();
    List<String> wishes = wishes(FilePrefetchers.nextFiles(files), files, new int[] {1, 0});
    assertThat(wishes).hasSize(4 * 3).startsWith("2/0", "2/1", "2/2", "3/0").endsWith("5/2");
  }

  @Test
  void theNextDirectoriesAreReadAsAWhole() {
    StoredFiles files = files();
    List<String> wishes = wishes(FilePrefetchers.nextDirectories(files), files, new int[] {1, 0});
    assertThat(wishes).hasSize(6 * 3).startsWith("3/0").endsWith("8/2");
  }

  @Test
  void aChainOfFilesIsReadAheadOnlyOnceItWasSeen() {
    StoredFiles files = files();
    MarkovFiles chain = new MarkovFiles(files);
    int[][] pass = {{4, 0}, {4, 1}, {0, 0}, {7, 0}, {2, 0}};
    assertThat(wishes(chain, files, pass)).isEmpty();
    assertThat(wishes(chain, files, pass)).startsWith("0/0", "0/1", "0/2", "7/0").contains("2/2");
  }

  @Test
  void aChainForgetsWhatFollowsRarely() {
    StoredFiles files = files();
    MarkovFiles chain = new MarkovFiles(files);
    int[][] reads = {{0, 0}, {1, 0}, {0, 0}, {2, 0}, {0, 0}, {3, 0}, {4, 0}};
    wishes(chain, files, reads);
    assertThat(wishes(chain, files, new int[] {0, 0})).isEmpty();
  }
}
