package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The memory that streams say they take is nearly what their objects take. */
final class HeldBytesTest {
  private static final double PART = 0.25;

  /** Ways in which a tree becomes large. */
  enum Load {
    /** Thousands of directories, each read once. */
    FLOOD,
    /** Hundreds of directories that are read in full. */
    SCANS,
    /** Directories that are read by turns. */
    TURNS,
    /** Files of many blocks. */
    FILES,
    /** One part of each of many directories, and summaries now and then. */
    SLICE;

    void read(TestDoor door) {
      Random random = new Random(1);
      for (int i = 0; i < 50_000; i++) {
        switch (this) {
          case FLOOD -> door.read(String.format("a%02d/b%05d/file", i % 90, i));
          case SCANS -> door.read(String.format("set/b%03d/file%03d", i / 100, i % 100));
          case TURNS ->
              door.read(
                  String.format(
                      "s%02d/c%03d/f%04d", i % 7, random.nextInt(90), random.nextInt(999)));
          case FILES -> door.by(i % 5).read(String.format("set/table%04d", i / 20), i % 20, 20);
          case SLICE -> {
            door.read(String.format("dates/%06d/table.csv", i / 4), i % 4, 4);
            if (i % 500 == 0) {
              door.summaries();
              door.follow();
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Load.class)
  void countsTheTreeAndItsNames(Load load) {
    TestDoor door = new TestDoor();
    load.read(door);
    assertNear(
        door.streams.treeBytes() + door.streams.listingBytes(),
        ObjectGraph.bytes(any -> true, door.streams));
  }

  private static void assertNear(long told, long held) {
    assertThat((double) told / held)
        .as("%d bytes told, %d held", told, held)
        .isCloseTo(1, within(PART));
  }

  @Test
  void countsListings() {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = new TestDoor();
          for (int directory = 0; directory < 50; directory++) {
            int names = 1 + random.nextInt(3000);
            String form = random.nextBoolean() ? "%08d.jpg" : "ILSVRC2012_val_%08d.JPEG";
            door.listFiles("set/" + directory, TestDoor.names(form, names));
          }
          assertNear(
              door.streams.listingBytes() + door.streams.treeBytes(),
              ObjectGraph.bytes(any -> true, door.streams));
        });
  }
}
