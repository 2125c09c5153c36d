package io.quiver.core.stream.tree;

import static io.quiver.core.stream.AccessPattern.RANDOM;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.StreamRules;
import io.quiver.testkit.SeededRuns;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree stays small whatever is read, and keeps what is read now. */
final class TreeBoundsTest {
  private static final long MOST_TREE_BYTES = 8 << 20;

  @Test
  void holdsTenThousandStreamsWithinEightMegabytes() {
    TestDoor door = new TestDoor();
    for (int round = 0; round < 3; round++) {
      for (int stream = 0; stream < 9_950; stream++) {
        door.read(String.format("set%03d/part%02d/file%d", stream / 100, stream % 100, round));
      }
    }
    assertThat(door.streams.nodes()).isEqualTo(StreamRules.STANDARD.mostNodes());
    assertThat(door.streams.treeBytes()).isLessThanOrEqualTo(MOST_TREE_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"flood%07d/file", "flood/%07d/a/b", "a/b/c/d%07d/e/f", "%07d", "x/%07d"})
  void staysWithinItsBoundsInAFloodOfPaths(String form) {
    TestDoor door = new TestDoor();
    for (int path = 0; path < 60_000; path++) {
      door.read(String.format(form, path), 0, 1 + path % 2);
      assertBounds(door, StreamRules.STANDARD);
    }
  }

  @Test
  void staysWithinItsBoundsWithLongPaths() {
    TestDoor door = new TestDoor();
    for (int path = 0; path < 5_000; path++) {
      String name = String.format("%05d-%s", path, "n".repeat(240));
      door.read((name + "/").repeat(16) + "file");
      assertBounds(door, StreamRules.STANDARD);
    }
  }

  private static void assertBounds(TestDoor door, StreamRules rules) {
    assertThat(door.streams.nodes()).isLessThanOrEqualTo(rules.mostNodes());
    assertThat(door.streams.treeBytes()).isLessThanOrEqualTo(MOST_TREE_BYTES);
    assertThat(door.streams.listingBytes()).isLessThanOrEqualTo(rules.mostListingBytes());
  }

  @Test
  void keepsAStreamThatIsReadThroughAFlood() {
    SeededRuns.run(
        2,
        random -> {
          TestDoor door = new TestDoor();
          door.listFiles("set", TestDoor.names("%05d", 5000));
          int[] order = Orders.epochs(5000, 1, random);
          for (int item = 0; item < 400; item++) {
            door.read(String.format("set/%05d", order[item]));
          }
          assertThat(door.summary("set").recognition().pattern()).isEqualTo(RANDOM);
          long windows = door.summary("set").windows();
          for (int item = 400; item < 2000; item++) {
            for (int stray = 0; stray < 30; stray++) {
              door.by(2).read("flood/" + random.nextLong() + "/" + stray);
            }
            door.by(1).read(String.format("set/%05d", order[item]));
          }
          assertThat(door.summary("set").recognition().pattern()).isEqualTo(RANDOM);
          assertThat(door.summary("set").windows()).isGreaterThan(windows + 10);
        });
  }

  @Test
  void forgetsTheStreamThatWasReadLongestAgoFirst() {
    StreamRules rules = rules(200);
    StreamTree tree = new StreamTree(rules, new Listings(0), 1 << 20);
    for (int directory = 0; directory < 150; directory++) {
      tree.bounds().trim(tree.reach("d" + directory + "/file", false));
    }
    tree.reach("d0/file", false);
    for (int directory = 150; directory < 300; directory++) {
      tree.bounds().trim(tree.reach("d" + directory + "/file", false));
    }
    assertThat(tree.nodes()).isEqualTo(200);
    assertThat(tree.find("d0")).isNotNull();
    for (int directory = 1; directory < 300; directory++) {
      assertThat(tree.find("d" + directory) != null).as("d" + directory).isEqualTo(directory > 101);
    }
    assertThat(tree.forgotten()).isEqualTo(101);
  }

  @Test
  void keepsTheLatestChildrenOfAStreamWithEnoughReads() {
    TestDoor door = new TestDoor();
    for (int file = 0; file < 5_000; file++) {
      door.read(String.format("set/part%05d/file", file));
    }
    assertThat(door.streams.nodes()).isLessThan(200);
    assertThat(door.summary("set").items()).isEqualTo(5_000);
  }

  @Test
  void keepsAFileThatIsScannedSlowlyAmongManyOthers() {
    TestDoor door = new TestDoor();
    int block = 0;
    while (block < 300) {
      door.by(1).read("set/scanned.bin", block++, 1000);
    }
    for (int stray = 0; stray < 30_000; stray++) {
      door.by(2).read("set/" + 31L * stray * stray % 100_003, 0, 2);
      if (stray % 150 == 0) {
        door.by(1).read("set/scanned.bin", block++, 1000);
        assertThat(door.follow()).anyMatch(ahead -> ahead.startsWith("set/scanned.bin#"));
      }
    }
    assertThat(door.streams.nodes()).isLessThan(200);
  }

  @Test
  void boundsNamesThatWereNeverListed() {
    StreamRules rules =
        new StreamRules(100, 1000, 0.01, 10_000, 1 << 20, 4, 64, 0.8, 0.8, Duration.ofSeconds(60));
    TestDoor door = new TestDoor(rules);
    for (int file = 0; file < 100_000; file++) {
      door.read("set" + file % 3 + "/" + "n".repeat(100) + file);
      assertThat(door.streams.listingBytes()).isLessThanOrEqualTo(1 << 20);
    }
    assertThat(door.owners()).contains("set0", "set1", "set2");
  }

  @Test
  void keepsAHotDirectoryBesideManyRecognisedOnes() {
    TestDoor door = new TestDoor(rules(150));
    for (String directory : TestDoor.names("%03d", 400)) {
      for (int item = 0; item < 250; item++) {
        door.read("cold/" + directory + "/" + item);
      }
      door.read("hot/" + directory);
    }
    assertThat(door.streams.nodes()).isLessThanOrEqualTo(150);
    assertThat(door.summary("hot").items()).isEqualTo(400);
  }

  private static StreamRules rules(int nodes) {
    return new StreamRules(
        100, 1000, 0.01, nodes, 64 << 20, 4, 64, 0.8, 0.8, Duration.ofSeconds(60));
  }
}
