package io.quiver.simulator.igt;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.ListedPage;
import io.quiver.simulator.engine.SeededNumbers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FileSetTest {
  @Test
  void pathsAndBlocksLeadToEachOther() {
    FileSet files = new FileSet(7, "a/b", 30, 1_000, 9_000_000);
    Set<Long> keys = new HashSet<>();
    long bytes = 0;
    for (int block = 0; block < files.blocks(); block++) {
      assertThat(files.find(files.path(block), files.inFile(block))).isEqualTo(block);
      assertThat(keys.add(files.key(block))).isTrue();
      bytes += files.bytes(block);
    }
    assertThat(bytes).isEqualTo(files.bytes());
    assertThat(files.find("a/b/d0000000/f9999999", 0)).isNegative();
    assertThat(files.find("a/b/d0000000/x", 0)).isNegative();
    assertThat(files.find(files.path(0), 3)).isNegative();
  }

  @Test
  void listingsNameEveryFile() {
    FileSet files = new FileSet(7, "root", 3, 100, 5);
    Map<String, ListedPage> pages = new HashMap<>();
    files.list(pages::put, true);
    assertThat(pages.keySet())
        .containsExactlyInAnyOrder("root", "root/d0000000", "root/d0000001", "root/d0000002");
    long listed =
        pages.entrySet().stream()
            .filter(each -> !each.getKey().equals("root"))
            .mapToLong(each -> each.getValue().names().size())
            .sum();
    assertThat(listed).isEqualTo(100);
  }

  @Test
  void anEpochReadsEverySampleOnceAndASliceOneFileOfEachDirectory() {
    FileSet files = new FileSet(7, "root", 20, 200, 5);
    int[] epoch = new BlockOrder.Shuffled(1).pass(files, new SeededNumbers(3));
    assertThat(epoch).hasSize(200).doesNotHaveDuplicates();
    int[] slice = new BlockOrder.Slice(3).pass(files, new SeededNumbers(3));
    assertThat(slice).hasSize(20);
    assertThat(IntStream.of(slice).allMatch(block -> block % 10 == 3)).isTrue();
  }

  @Test
  void theFirstOfTwoProgramsFindsTheSameItemsPopularAsTheSecond() {
    FileSet files = new FileSet(7, "tables", 0, 1_000, 5);
    BlockOrder order = new BlockOrder.Drawn(1, 20, true);
    int[] one = counts(order.pass(files, new SeededNumbers(1)));
    int[] other = counts(order.pass(files, new SeededNumbers(2)));
    int most = 0;
    for (int i = 0; i < one.length; i++) {
      most = one[i] > one[most] ? i : most;
    }
    assertThat(other[most]).isGreaterThan(1_000);
  }

  private static int[] counts(int[] blocks) {
    int[] counts = new int[1_000];
    for (int block : blocks) {
      counts[block]++;
    }
    return counts;
  }
}
