package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.PrefetchAdvice.Purpose;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A random stream of which nearly everything fits is read into the cache in idle times. */
final class StatisticalFillTest {
  private static final int CLASSES = 20;
  private static final int FILES = 50;
  private static final long ALL_BYTES = (long) CLASSES * FILES * TestDoor.FILE;
  private static final SpaceId SPACE = new SpaceId("stream-7");

  private static String file(int item) {
    return String.format("train/c%02d/%03d.jpg", item / FILES, item % FILES);
  }

  private static TestDoor trained() {
    TestDoor door = new TestDoor();
    door.listDirectories("train", TestDoor.names("c%02d", CLASSES));
    for (int c = 0; c < CLASSES; c++) {
      door.listFiles(String.format("train/c%02d", c), TestDoor.names("%03d.jpg", FILES));
    }
    int[] order = Orders.epochs(CLASSES * FILES, 1, new Random(3));
    for (int read = 0; read < 500; read++) {
      door.read(file(order[read]));
    }
    door.follow();
    return door;
  }

  private static StreamVerdict verdict(AccessPattern pattern, double share) {
    return new StreamVerdict(TestDoor.key("train"), pattern, SPACE, (long) (share * ALL_BYTES));
  }

  private static List<String> allFills(TestDoor door) {
    List<String> all = new ArrayList<>();
    for (List<String> some = door.fills(); !some.isEmpty(); some = door.fills()) {
      assertThat(some).hasSizeLessThanOrEqualTo(4);
      all.addAll(some);
    }
    return all;
  }

  @Test
  void fillsAllThatIsListedOnceTheQuotaIsLargeEnough() {
    TestDoor door = trained();
    door.plan(verdict(AccessPattern.RANDOM, 1.01));
    List<String> filled = allFills(door);
    assertThat(filled).hasSize(CLASSES * FILES).doesNotHaveDuplicates();
    assertThat(filled).contains(file(0) + "#0", file(CLASSES * FILES - 1) + "#0");
  }

  @Test
  void fillsAllOverTheStreamSoThatItStaysRandom() {
    TestDoor door = trained();
    door.plan(verdict(AccessPattern.RANDOM, 1));
    List<String> filled = new ArrayList<>();
    for (int turn = 0; turn < 40; turn++) {
      filled.addAll(door.fills());
    }
    List<Integer> places =
        filled.stream().map(each -> Integer.parseInt(each.substring(10, 13))).sorted().toList();
    assertThat(places.getFirst()).isLessThan(5);
    assertThat(places.getLast()).isGreaterThan(FILES - 5);
    for (int files = 1; files <= 20; files++) {
      ScatteredOrder order = new ScatteredOrder(files);
      assertThat(IntStream.range(0, files).map(order::place)).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0.5, 0", "0.78, 0", "0.82, 820", "0.9, 900", "1, 1000", "5, 1000"})
  void fillsUpToTheQuotaIfEightTenthsFit(double share, int blocks) {
    TestDoor door = trained();
    door.plan(verdict(AccessPattern.RANDOM, share));
    assertThat(allFills(door)).hasSize(blocks);
  }

  @ParameterizedTest
  @EnumSource(
      value = AccessPattern.class,
      names = {"SEQUENTIAL", "SKEWED"})
  void fillsNothingThatThePlanTakesForAnotherPattern(AccessPattern pattern) {
    TestDoor door = trained();
    door.plan(verdict(pattern, 1));
    assertThat(allFills(door)).isEmpty();
  }

  @Test
  void fillsNothingWithoutASpace() {
    TestDoor door = trained();
    door.plan(new StreamVerdict(TestDoor.key("train"), AccessPattern.RANDOM, null, ALL_BYTES));
    assertThat(allFills(door)).isEmpty();
  }

  @Test
  void fillsNoSmallFilesThatNobodyHasListed() {
    TestDoor door = new TestDoor();
    for (int item : Orders.epochs(CLASSES * FILES, 1, new Random(3))) {
      door.read(file(item));
    }
    door.plan(verdict(AccessPattern.RANDOM, 1));
    assertThat(allFills(door)).isEmpty();
  }

  @Test
  void letsProgramsThatGoForwardComeFirst() {
    TestDoor door = trained();
    door.plan(verdict(AccessPattern.RANDOM, 1));
    door.listFiles("scan", TestDoor.names("%04d", 1000));
    for (int item = 0; item < 150; item++) {
      door.read(String.format("scan/%04d", item));
    }
    List<PrefetchAdvice> first = door.streams.advise(8, door.now());
    assertThat(first).isNotEmpty().allMatch(each -> each.purpose() == Purpose.AHEAD);
    while (door.streams.advise(8, door.now()).stream()
        .anyMatch(a -> a.purpose() == Purpose.AHEAD)) {
      assertThat(door.streams.treeBytes()).isPositive();
    }
    assertThat(door.fills()).isNotEmpty();
  }

  @Test
  void stopsWhenTheQuotaIsTakenAway() {
    TestDoor door = trained();
    door.plan(verdict(AccessPattern.RANDOM, 1));
    assertThat(door.fills()).hasSize(4);
    door.plan(verdict(AccessPattern.RANDOM, 0.3));
    assertThat(allFills(door)).isEmpty();
    door.plan();
    assertThat(allFills(door)).isEmpty();
  }

  @Test
  void goesOnWhereItWasWhileThePlanStaysTheSame() {
    TestDoor door = trained();
    List<String> filled = new ArrayList<>();
    for (int heartbeat = 0; heartbeat < 300; heartbeat++) {
      door.plan(verdict(AccessPattern.RANDOM, 1));
      filled.addAll(door.fills());
    }
    assertThat(filled).hasSize(CLASSES * FILES).doesNotHaveDuplicates();
  }

  @Test
  void advisesAgainLaterWhatTheDoorHadNoTimeFor() {
    TestDoor door = trained();
    door.plan(verdict(AccessPattern.RANDOM, 1));
    List<PrefetchAdvice> refused = door.advices();
    refused.forEach(each -> door.streams.ended(each, Outcome.DROPPED));
    assertThat(door.advices()).as("at once").isEmpty();
    door.pause(2);
    assertThat(door.advices()).as("later").contains(refused.getFirst());
  }

  @Test
  void neverLosesWhatABusyDoorRefuses() {
    SeededRuns.run(
        5,
        random -> {
          TestDoor door = trained();
          door.plan(verdict(AccessPattern.RANDOM, 1));
          Set<String> filled = new HashSet<>();
          for (int turn = 0; turn < 5000 && filled.size() < CLASSES * FILES; turn++) {
            door.pause(1.1);
            boolean busy = random.nextInt(3) == 0;
            for (PrefetchAdvice advice : door.advices()) {
              door.streams.ended(advice, busy ? Outcome.DROPPED : Outcome.FETCHED);
              if (!busy) {
                filled.add(advice.path());
              }
            }
          }
          assertThat(filled).hasSize(CLASSES * FILES);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"books/part-%02d.arrow", "part-%02d.arrow", "books/%02d/text.arrow"})
  void fillsLargeFilesThatProgramsReadThoughNobodyHasListedThem(String form) {
    TestDoor door = new TestDoor();
    int files = 4;
    int blocks = 100;
    for (int item : Orders.epochs(files * blocks, 1, new Random(4))) {
      door.read(String.format(form, item / blocks), item % blocks, blocks);
    }
    String owner = door.owners().getFirst();
    door.plan(
        new StreamVerdict(
            TestDoor.key(owner),
            AccessPattern.RANDOM,
            SPACE,
            (long) files * blocks * TestDoor.BLOCK));
    assertThat(allFills(door)).hasSize(files * blocks).doesNotHaveDuplicates();
  }
}
