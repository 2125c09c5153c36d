package io.quiver.core.stream.tree;

import static io.quiver.core.stream.AccessPattern.RANDOM;
import static io.quiver.core.stream.AccessPattern.SEQUENTIAL;
import static io.quiver.core.stream.AccessPattern.SKEWED;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamWindow.Indexing;
import io.quiver.testkit.SeededRuns;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each pattern is recognised where a data set's items are: directories, files or blocks. */
final class StreamGranularityTest {
  private static final int ITEMS = 2000;
  private static final int READS = 1500;

  /** The places of items. */
  enum Granularity {
    /** A directory of directories, each with a file of its own name. */
    DIRECTORY,
    /** A directory of files. */
    FILE,
    /** A file of many blocks. */
    BLOCK
  }

  @ParameterizedTest
  @CsvSource({
    "DIRECTORY, SEQUENTIAL", "DIRECTORY, RANDOM", "DIRECTORY, SKEWED",
    "FILE, SEQUENTIAL", "FILE, RANDOM", "FILE, SKEWED",
    "BLOCK, SEQUENTIAL", "BLOCK, RANDOM", "BLOCK, SKEWED",
  })
  void recognisesAPatternOfListedItems(Granularity granularity, AccessPattern pattern) {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = new TestDoor();
          switch (granularity) {
            case DIRECTORY -> door.listDirectories("data/set", TestDoor.names("part%05d", ITEMS));
            case FILE -> door.listFiles("data/set", TestDoor.names("item%05d.bin", ITEMS));
            case BLOCK -> door.list("data/set", List.of("all.bin"), (long) ITEMS * TestDoor.BLOCK);
          }
          read(pattern, random, reader(door, granularity));
          StreamSummary summary = door.summary("data/set");
          assertThat(summary.recognition().pattern()).isEqualTo(pattern);
          assertThat(summary.items()).isBetween(ITEMS * 8L / 10, ITEMS * 12L / 10);
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = AccessPattern.class,
      names = {"SEQUENTIAL", "RANDOM", "SKEWED"})
  void recognisesAPatternOfFilesThatNobodyHasListed(AccessPattern pattern) {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = new TestDoor();
          read(pattern, random, reader(door, Granularity.FILE));
          assertThat(door.summary("data/set").recognition().pattern()).isEqualTo(pattern);
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = AccessPattern.class,
      names = {"SEQUENTIAL", "RANDOM", "SKEWED"})
  void recognisesAPatternOfFilesWithoutNumbers(AccessPattern pattern) {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = new TestDoor();
          String[] names = new String[ITEMS];
          for (int i = 0; i < ITEMS; i++) {
            names[i] = String.format("%05d-%s", i, Long.toString(random.nextLong(1L << 40), 36));
          }
          read(pattern, random, item -> door.read("data/set/" + names[item]));
          StreamSummary summary = door.summary("data/set");
          assertThat(summary.recognition().pattern()).isEqualTo(pattern);
          assertThat(Objects.requireNonNull(summary.window()).indexing()).isEqualTo(Indexing.SEEN);
        });
  }

  private static void read(AccessPattern pattern, Random random, IntConsumer item) {
    int[] order =
        switch (pattern) {
          case SEQUENTIAL -> Orders.scan(READS);
          case RANDOM -> Orders.epochs(ITEMS, 1, random);
          default -> Orders.zipf(ITEMS, READS, 1.0, random);
        };
    for (int i = 0; i < READS; i++) {
      item.accept(order[i]);
    }
  }

  private static IntConsumer reader(TestDoor door, Granularity granularity) {
    return switch (granularity) {
      case DIRECTORY ->
          item -> door.read(String.format("data/set/part%05d/item%05d.bin", item, item));
      case FILE -> item -> door.read(String.format("data/set/item%05d.bin", item));
      case BLOCK -> item -> door.read("data/set/all.bin", item, ITEMS);
    };
  }

  @ParameterizedTest
  @CsvSource({"1", "4", "16"})
  void recognisesAScanByParallelWorkers(int workers) {
    TestDoor door = new TestDoor();
    door.listFiles("data/set", TestDoor.names("item%05d.bin", ITEMS));
    for (int item = 0; item < READS; item++) {
      door.by(item % workers).read(String.format("data/set/item%05d.bin", item));
    }
    StreamSummary summary = door.summary("data/set");
    assertThat(summary.recognition().pattern()).isEqualTo(SEQUENTIAL);
    assertThat(summary.readers()).isEqualTo(workers);
  }

  @ParameterizedTest
  @CsvSource({"10, 100", "100, 20", "1000, 2"})
  void takesClassDirectoriesThatAreReadAtRandomForOneDataSet(int classes, int files) {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = new TestDoor();
          door.listDirectories("set/train", TestDoor.names("c%04d", classes));
          for (int c = 0; c < classes; c++) {
            door.listFiles(String.format("set/train/c%04d", c), TestDoor.names("%04d.jpg", files));
          }
          for (int item : Orders.epochs(classes * files, 2, random)) {
            door.read(String.format("set/train/c%04d/%04d.jpg", item / files, item % files));
          }
          assertThat(door.owners()).containsExactly("set/train");
          StreamSummary summary = door.summary("set/train");
          assertThat(summary.recognition().pattern()).isEqualTo(RANDOM);
          assertThat(summary.items())
              .isBetween((long) classes * files * 9 / 10, (long) classes * files * 11 / 10);
          assertThat(summary.bytes())
              .isBetween(
                  (long) classes * files * 9 / 10 * TestDoor.FILE,
                  (long) classes * files * 11 / 10 * TestDoor.FILE);
        });
  }

  @ParameterizedTest
  @CsvSource({"0.8", "1.0", "1.2"})
  void takesPopularTablesInPartsForSkewed(double exponent) {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = new TestDoor();
          int files = 50;
          int blocks = 100;
          door.list("lake", TestDoor.names("table%03d.parquet", files), 100L * TestDoor.BLOCK);
          for (int item : Orders.zipf(files * blocks, 3000, exponent, random)) {
            door.read(
                String.format("lake/table%03d.parquet", item / blocks), item % blocks, blocks);
          }
          assertThat(door.summary("lake").recognition().pattern()).isEqualTo(SKEWED);
        });
  }
}
