package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.StreamRules;
import io.quiver.testkit.SeededRuns;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that go forward are read ahead: as far as programs follow, and no farther. */
final class ReadAheadTest {
  private static final int FILES = 3000;

  private static String file(int number) {
    return String.format("set/%05d.wav", number);
  }

  private static TestDoor listed() {
    TestDoor door = new TestDoor();
    door.listFiles("set", TestDoor.names("%05d.wav", FILES));
    return door;
  }

  @Test
  void advisesTheNextFourFilesAfterOneWindow() {
    TestDoor door = listed();
    for (int file = 0; file < 99; file++) {
      door.read(file(file));
      assertThat(door.follow()).isEmpty();
    }
    door.read(file(99));
    door.read(file(100));
    assertThat(door.follow())
        .containsExactly(file(101) + "#0", file(102) + "#0", file(103) + "#0", file(104) + "#0");
  }

  @Test
  void readsFartherAheadWhileProgramsWait() {
    assertThat(farthest(listed())).isEqualTo(StreamRules.STANDARD.mostDepth());
  }

  @Test
  void readsNoFartherAheadOnceProgramsWaitNoMore() {
    assertThat(farthest(listed().prompt())).isEqualTo(StreamRules.STANDARD.depth());
  }

  private static int farthest(TestDoor door) {
    int farthest = 0;
    for (int file = 0; file < 2400; file++) {
      door.read(file(file));
      for (String advised : door.follow()) {
        farthest = Math.max(farthest, number(advised) - file);
      }
    }
    assertThat(door.wasted()).hasSizeLessThanOrEqualTo(StreamRules.STANDARD.mostDepth());
    return farthest;
  }

  private static int number(String advised) {
    return Integer.parseInt(advised.replaceAll(".*/0*(\\d+)\\.wav#0", "$1"));
  }

  @Test
  void readsLessAheadWhenTheDoorHasNoRoom() {
    TestDoor door = listed();
    int file = 0;
    while (file < 600) {
      door.read(file(file++));
      door.follow();
    }
    for (int refused = 0; refused < 1500; refused++) {
      door.read(file(file++));
      door.follow(Outcome.DROPPED);
    }
    door.read(file(file));
    assertThat(door.follow().stream().mapToInt(ReadAheadTest::number).max().orElse(file) - file)
        .isLessThan(StreamRules.STANDARD.mostDepth() / 4);
  }

  @Test
  void stopsAtTheLastFile() {
    TestDoor door = listed();
    for (int file = 0; file < FILES; file++) {
      door.read(file(file));
      door.follow();
    }
    assertThat(door.wasted()).isEmpty();
    assertThat(door.fetched).hasSizeGreaterThan(FILES - 110);
  }

  @Test
  void neverAdvisesWhatIsReadAtRandom() {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = listed();
          for (int item : Orders.epochs(FILES, 2, random)) {
            door.read(file(item));
            door.follow();
          }
          assertThat(door.fetched).hasSizeLessThan(20);
        });
  }

  @Test
  void neverAdvisesWhatIsSkewed() {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = listed();
          for (int item : Orders.zipf(FILES, 5000, 1.0, random)) {
            door.read(file(item));
            door.follow();
          }
          assertThat(door.fetched).hasSizeLessThan(20);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 32})
  void readsAheadOfSeveralReadersAtDifferentPlaces(int readers) {
    TestDoor door = new TestDoor();
    int share = 500;
    door.listFiles("set", TestDoor.names("%05d.wav", readers * share));
    for (int step = 0; step < share; step++) {
      for (int who = 0; who < readers; who++) {
        door.by(who).read(file(who * share + step));
        door.follow();
      }
    }
    int all = readers * share;
    assertThat(door.wasted()).hasSizeLessThan(readers * 8 + 64);
    assertThat(door.fetched.size() - door.wasted().size()).isGreaterThan(all / 2);
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "4, 4", "8, 1", "16, 1"})
  void followsTheStrideOfAScanThatIsSharedWithOtherDoors(int doors, int workers) {
    TestDoor door = listed();
    int step = 0;
    for (int file = 3 % doors; file < FILES; file += doors) {
      door.by(step++ % workers).read(file(file));
      door.follow();
    }
    assertThat(door.wasted()).isEmpty();
    if (FILES / doors > 2 * StreamRules.STANDARD.window()) {
      assertThat(door.fetched).hasSizeGreaterThan(FILES / doors / 3);
    }
  }

  @Test
  void readsAheadBlocksAndThenTheNextFile() {
    TestDoor door = new TestDoor();
    int blocks = 40;
    List<String> names = TestDoor.names("part%02d.arrow", 16);
    door.list("books", names, (long) blocks * TestDoor.BLOCK);
    for (String name : names) {
      for (int block = 0; block < blocks; block++) {
        door.read("books/" + name, block, blocks);
        door.follow();
      }
    }
    assertThat(door.wasted()).isEmpty();
    assertThat(door.fetched).hasSizeGreaterThan(16 * blocks - 120);
    assertThat(door.fetched).contains("books/part09.arrow#0", "books/part09.arrow#1");
  }

  @Test
  void goesOnInTheNextDirectory() {
    TestDoor door = new TestDoor();
    door.listDirectories("audio", TestDoor.names("speaker%02d", 60));
    List<String> names = TestDoor.names("%03d.wav", 50);
    for (int speaker = 0; speaker < 60; speaker++) {
      door.listFiles(String.format("audio/speaker%02d", speaker), names);
    }
    for (int speaker = 0; speaker < 60; speaker++) {
      for (String name : names) {
        door.read(String.format("audio/speaker%02d/%s", speaker, name));
        door.follow();
      }
    }
    assertThat(door.wasted()).isEmpty();
    assertThat(door.fetched).contains("audio/speaker30/000.wav#0", "audio/speaker30/001.wav#0");
    assertThat(door.fetched).hasSizeGreaterThan(60 * 50 - 300);
  }

  @Test
  void guessesNumberedNamesThatNobodyHasListed() {
    TestDoor door = new TestDoor();
    for (int file = 0; file < 500; file++) {
      door.read(file(file));
      door.follow();
    }
    assertThat(door.fetched).contains(file(400) + "#0");
    assertThat(door.fetched).hasSizeGreaterThan(350);
  }

  @Test
  void guessesNoFurtherThanANameThatDoesNotExist() {
    TestDoor door = new TestDoor();
    int last = 300;
    int failures = 0;
    for (int file = 0; file <= last; file++) {
      door.read(file(file));
      for (var advice : door.advices()) {
        boolean exists = number(advice.path() + "#0") <= last;
        failures += exists ? 0 : 1;
        door.streams.ended(advice, exists ? Outcome.FETCHED : Outcome.FAILED);
      }
    }
    assertThat(failures).isLessThanOrEqualTo(StreamRules.STANDARD.mostDepth());
    for (int again = 0; again < 5; again++) {
      door.read(file(last - again));
      door.read(file(last));
      assertThat(door.follow()).isEmpty();
    }
  }

  @Test
  void guessesNothingWhereNamesTellNothing() {
    TestDoor door = new TestDoor();
    for (int file = 0; file < 500; file++) {
      door.read("set/" + Integer.toHexString(0x10000000 + file * 7919) + ".x");
      door.follow();
    }
    assertThat(door.fetched).isEmpty();
  }

  @Test
  void advisesABlockOnce() {
    TestDoor door = listed();
    for (int file = 0; file < 1000; file++) {
      door.read(file(file));
      int before = door.fetched.size();
      List<String> advised = door.follow();
      assertThat(door.fetched).hasSize(before + advised.size());
    }
  }

  @Test
  void countsWhatWasAdvisedAndUsed() {
    TestDoor door = listed();
    for (int file = 0; file < 1000; file++) {
      door.read(file(file));
      door.follow();
    }
    var summary = door.summary("set");
    Set<String> used = new java.util.HashSet<>(door.fetched);
    used.retainAll(door.read);
    assertThat(summary.advised()).isEqualTo(door.fetched.size());
    assertThat(summary.used()).isEqualTo(used.size());
  }

  @Test
  void adviceThatNeededNoReadingCountsForNothing() {
    TestDoor door = listed();
    for (int file = 0; file < 500; file++) {
      door.read(file(file));
      door.follow(Outcome.HELD);
    }
    assertThat(door.summary("set").advised()).isZero();
    assertThat(door.summary("set").used()).isZero();
  }

  @Test
  void readsNothingAheadAtDepthZero() {
    StreamRules usual = StreamRules.STANDARD;
    TestDoor door =
        new TestDoor(
            new StreamRules(100, 1000, 0.01, 10_000, 1 << 20, 0, 0, 0.8, 0.8, usual.leaseBase()));
    for (int file = 0; file < 500; file++) {
      door.read(file(file));
      assertThat(door.follow()).isEmpty();
    }
  }

  @Test
  void takesAFileThatIsReadInPiecesForOneRead() {
    TestDoor door = listed();
    for (int file = 0; file < 300; file++) {
      for (int piece = 0; piece < 20; piece++) {
        door.read(file(file));
      }
      door.follow();
    }
    assertThat(door.summary("set").windows()).isEqualTo(3);
    assertThat(door.wasted()).hasSizeLessThanOrEqualTo(StreamRules.STANDARD.mostDepth());
  }
}
