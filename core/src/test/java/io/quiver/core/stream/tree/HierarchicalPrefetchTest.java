package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.testkit.SeededRuns;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of the next directory only what was read in its siblings is read ahead (IGTCache, Figure 7). */
final class HierarchicalPrefetchTest {
  private static final int MONTHS = 600;

  private static String month(int number) {
    return String.format("icoads/%04d%02d", 1960 + number / 12, 1 + number % 12);
  }

  private static final List<String> REGIONS =
      List.of(
          "00_100_00_110.csv",
          "00_100_10_110.csv",
          "10_100_00_110.csv",
          "10_100_10_110.csv",
          "10_110_00_120.csv",
          "20_100_00_110.csv");

  private static TestDoor listed(boolean months) {
    TestDoor door = new TestDoor();
    List<String> names =
        java.util.stream.IntStream.range(0, MONTHS)
            .mapToObj(number -> month(number).substring("icoads/".length()))
            .toList();
    door.listDirectories("icoads", names);
    if (months) {
      for (int number = 0; number < MONTHS; number++) {
        door.listFiles(month(number), REGIONS);
      }
    }
    return door;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsAheadTheOneFileThatSiblingsWereReadFor(boolean monthsAreListed) {
    TestDoor door = listed(monthsAreListed);
    for (int number = 0; number < MONTHS; number++) {
      door.read(month(number) + "/10_100_00_110.csv");
      door.follow();
    }
    assertThat(door.fetched).allMatch(advised -> advised.endsWith("/10_100_00_110.csv#0"));
    assertThat(door.fetched).hasSizeGreaterThan(MONTHS - 110);
    assertThat(door.wasted()).isEmpty();
  }

  @Test
  void readsAheadSeveralFilesThatSiblingsWereReadFor() {
    TestDoor door = listed(true);
    for (int number = 0; number < MONTHS; number++) {
      door.read(month(number) + "/00_100_00_110.csv");
      door.read(month(number) + "/10_110_00_120.csv");
      door.follow();
    }
    assertThat(door.wasted()).isEmpty();
    assertThat(door.fetched)
        .contains(month(500) + "/00_100_00_110.csv#0", month(500) + "/10_110_00_120.csv#0");
  }

  @Test
  void neverReadsAheadWhatSiblingsWereNotReadFor() {
    SeededRuns.run(
        10,
        random -> {
          TestDoor door = listed(random.nextBoolean());
          List<String> wanted =
              REGIONS.stream().filter(any -> random.nextInt(3) == 0).limit(3).toList();
          for (int number = 0; number < MONTHS && !wanted.isEmpty(); number++) {
            for (String region : wanted) {
              door.by(random.nextInt(2)).read(month(number) + "/" + region);
              door.follow();
            }
          }
          assertThat(door.fetched)
              .allMatch(advised ->
                  wanted.contains(
                      advised.substring(advised.lastIndexOf('/') + 1, advised.length() - 2)));
        });
  }

  @Test
  void leavesOutFilesThatOnlyHalfOfTheSiblingsWereReadFor() {
    TestDoor door = listed(true);
    for (int number = 0; number < MONTHS; number++) {
      door.read(month(number) + "/00_100_00_110.csv");
      if (number % 2 == 0) {
        door.read(month(number) + "/20_100_00_110.csv");
      }
      door.follow();
    }
    assertThat(door.fetched).allMatch(advised -> advised.endsWith("/00_100_00_110.csv#0"));
    assertThat(door.fetched).hasSizeGreaterThan(MONTHS / 2);
  }

  @Test
  void looksBelowSubdirectories() {
    TestDoor door = listed(false);
    for (int number = 0; number < MONTHS; number++) {
      door.read(month(number) + "/north/deep.csv");
      door.follow();
    }
    assertThat(door.fetched).isNotEmpty().allMatch(each -> each.endsWith("/north/deep.csv#0"));
  }

  @Test
  void readsAheadOnlyTheBlocksThatWereReadInOtherFiles() {
    TestDoor door = new TestDoor();
    List<String> names = TestDoor.names("%04d.parquet", 500);
    door.list("tables", names, 10L * TestDoor.BLOCK);
    for (String name : names) {
      door.read("tables/" + name, 9, 10);
      door.read("tables/" + name, 0, 10);
      door.follow();
    }
    assertThat(door.fetched).allMatch(advised -> advised.endsWith("#0") || advised.endsWith("#9"));
    assertThat(door.fetched).hasSizeGreaterThan(700);
    assertThat(door.wasted()).isEmpty();
  }

  @Test
  void skipsADirectoryThatLacksTheFile() {
    TestDoor door = new TestDoor();
    door.listDirectories("dates", TestDoor.names("%04d", 500));
    for (int number = 0; number < 500; number++) {
      String directory = String.format("dates/%04d", number);
      door.listFiles(directory, number % 7 == 3 ? List.of("a", "b") : List.of("a", "b", "c"));
    }
    for (int number = 0; number < 500; number++) {
      if (number % 7 != 3) {
        door.read(String.format("dates/%04d/c", number));
        door.follow();
      }
    }
    assertThat(door.wasted()).isEmpty();
    assertThat(door.fetched).hasSizeGreaterThan(300);
  }

  @Test
  void readsWholeDirectoriesAheadWhereSiblingsWereReadInFull() {
    TestDoor door = listed(true);
    for (int number = 0; number < 100; number++) {
      for (String region : REGIONS) {
        door.read(month(number) + "/" + region);
        door.follow();
      }
    }
    assertThat(door.wasted().size()).isLessThanOrEqualTo(64);
    assertThat(door.fetched).hasSizeGreaterThan(400);
  }
}
