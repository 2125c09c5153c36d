package io.quiver.core.stream.tree;

import static io.quiver.core.stream.AccessPattern.RANDOM;
import static io.quiver.core.stream.AccessPattern.SEQUENTIAL;
import static io.quiver.core.stream.AccessPattern.SKEWED;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.BlockPlace;
import io.quiver.core.stream.StreamPlacements;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.testkit.SeededRuns;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The plan names streams by their keys; blocks go where it says, also before it says anything. */
final class StreamPlanTest {
  private static final SpaceId SPACE = new SpaceId("stream-1");
  private static final BlockPlace OWN = new BlockPlace.Own(SPACE);

  private static TestDoor scanned() {
    TestDoor door = new TestDoor();
    for (int item = 0; item < 300; item++) {
      door.read(String.format("set/%04d", item));
    }
    return door;
  }

  private static TestDoor drawn(int reads) {
    TestDoor door = new TestDoor();
    int[] order = Orders.epochs(5000, 1, new Random(2));
    for (int read = 0; read < reads; read++) {
      door.read(String.format("set/%04d", order[read]));
    }
    return door;
  }

  @Test
  void blocksOfUnknownStreamsAreShared() {
    assertThat(new TestDoor().placements().of("any/file")).isEqualTo(BlockPlace.SHARED);
  }

  @Test
  void sequentialStreamsAreInsertedNowhereBeforeAnyPlan() {
    assertThat(scanned().placements().of("set/2999")).isEqualTo(BlockPlace.NOWHERE);
    assertThat(scanned().placements().of("settled")).isEqualTo(BlockPlace.SHARED);
  }

  @Test
  void oneWindowIsNotEnoughToKeepBlocksOut() {
    TestDoor door = new TestDoor();
    for (int item = 0; item < 150; item++) {
      door.read(String.format("set/%04d", item));
    }
    assertThat(door.placements().of("set/0200")).isEqualTo(BlockPlace.SHARED);
  }

  @Test
  void theWordOfThePlanCountsMoreThanWhatTheDoorSaw() {
    TestDoor door = scanned();
    door.plan(new StreamVerdict(TestDoor.key("set"), SKEWED, SPACE, 1 << 20));
    assertThat(door.placements().of("set/0001")).isEqualTo(OWN);
    door.plan(new StreamVerdict(TestDoor.key("set"), SEQUENTIAL, null, 0));
    assertThat(door.placements().of("set/0001")).isEqualTo(BlockPlace.NOWHERE);
  }

  @Test
  void aPlanThatForgetsAStreamLeavesItToTheDoor() {
    TestDoor door = drawn(500);
    door.plan(new StreamVerdict(TestDoor.key("set"), RANDOM, SPACE, 1 << 20));
    assertThat(door.placements().of("set/0001")).isEqualTo(OWN);
    door.plan();
    assertThat(door.placements().of("set/0001")).isEqualTo(BlockPlace.SHARED);
  }

  @Test
  void aStreamThatThisDoorMeetsAfterThePlanGetsItsPlace() {
    TestDoor door = new TestDoor();
    door.plan(new StreamVerdict(TestDoor.key("set"), RANDOM, SPACE, 1 << 20));
    assertThat(door.placements().of("set/0001")).isEqualTo(BlockPlace.SHARED);
    int reads = 0;
    for (int item : Orders.shuffled(5000, new Random(1))) {
      door.read(String.format("set/%04d", item));
      reads++;
      if (door.placements().of("set/0001").equals(OWN)) {
        break;
      }
    }
    assertThat(reads).isLessThanOrEqualTo(20);
  }

  @Test
  void aZeroQuotaIsAQuota() {
    TestDoor door = drawn(500);
    door.plan(new StreamVerdict(TestDoor.key("set"), RANDOM, SPACE, 0));
    assertThat(door.placements().of("set/0001")).isEqualTo(OWN);
    assertThat(door.fills()).isEmpty();
  }

  @Test
  void verdictsOnUnknownStreamsChangeNothing() {
    TestDoor door = drawn(500);
    StreamSummary before = door.summary("set");
    door.plan(new StreamVerdict("00000000deadbeef", SEQUENTIAL, null, 0));
    assertThat(door.placements().of("set/0001")).isEqualTo(BlockPlace.SHARED);
    assertThat(door.summary("set").recognition()).isEqualTo(before.recognition());
  }

  @Test
  void aMergedPatternMakesADoorReadAheadThatSawTooLittle() {
    TestDoor door = new TestDoor();
    door.listFiles("set", TestDoor.names("%04d", 5000));
    int item = 0;
    while (item < 640) {
      door.read(String.format("set/%04d", item));
      item += 16;
    }
    assertThat(door.follow()).isEmpty();
    door.plan(new StreamVerdict(TestDoor.key("set"), SEQUENTIAL, null, 0));
    while (item < 1000) {
      door.read(String.format("set/%04d", item));
      door.follow();
      item += 16;
    }
    assertThat(door.fetched).isNotEmpty().contains(String.format("set/%04d#0", item));
    assertThat(door.fetched).allMatch(each -> Integer.parseInt(each.substring(4, 8)) % 16 == 0);
  }

  @Test
  void aChangedQuotaHasTheStreamAnalysedAnew() {
    TestDoor door = drawn(350);
    long windows = door.summary("set").windows();
    door.plan(new StreamVerdict(TestDoor.key("set"), RANDOM, SPACE, 1 << 20));
    assertThat(door.summary("set").windows()).isEqualTo(windows + 1);
    door.plan(new StreamVerdict(TestDoor.key("set"), RANDOM, SPACE, 1 << 20));
    assertThat(door.summary("set").windows()).as("the same quota").isEqualTo(windows + 1);
    door.read("set/0001");
    door.plan(new StreamVerdict(TestDoor.key("set"), RANDOM, SPACE, 1 << 21));
    assertThat(door.summary("set").windows()).isEqualTo(windows + 2);
  }

  @Test
  void quotasThatChangeWithoutReadsTellNothingNew() {
    TestDoor door = drawn(350);
    for (int change = 1; change <= 10; change++) {
      door.plan(new StreamVerdict(TestDoor.key("set"), RANDOM, SPACE, change));
    }
    assertThat(door.summary("set").windows()).isEqualTo(4);
  }

  @Test
  void placementsThatWereTakenNeverChange() {
    TestDoor door = drawn(500);
    StreamPlacements taken = door.placements();
    door.plan(new StreamVerdict(TestDoor.key("set"), RANDOM, SPACE, 1 << 20));
    assertThat(taken.of("set/0001")).isEqualTo(BlockPlace.SHARED);
    assertThat(door.placements().of("set/0001")).isEqualTo(OWN);
    assertThat(door.placements()).isSameAs(door.placements());
  }

  @Test
  void theClosestOwnerAboveAPathCounts() {
    TestDoor door = new TestDoor();
    for (int item = 0; item < 300; item++) {
      door.read(String.format("a/b/%04d", item));
      door.read(String.format("a/c/%04d", item));
    }
    SpaceId inner = new SpaceId("stream-2");
    door.plan(
        new StreamVerdict(TestDoor.key("a"), SKEWED, SPACE, 1),
        new StreamVerdict(TestDoor.key("a/b"), RANDOM, inner, 1));
    assertThat(door.placements().of("a/b/x")).isEqualTo(new BlockPlace.Own(inner));
    assertThat(door.placements().of("a/bb/x")).isEqualTo(OWN);
    assertThat(door.placements().of("a")).isEqualTo(OWN);
    assertThat(door.placements().of("other")).isEqualTo(BlockPlace.SHARED);
  }

  @Test
  void summariesShowEachReadOnce() {
    TestDoor door = drawn(250);
    assertThat(Objects.requireNonNull(door.summary("set").window()).size()).isEqualTo(100);
    assertThat(door.summary("set").window()).isNull();
    for (int item = 0; item < 30; item++) {
      door.read("set/" + item);
    }
    assertThat(Objects.requireNonNull(door.summary("set").window()).size()).isEqualTo(30);
  }

  @Test
  void summariesTellTheStreamsWithMostReadsFirstAndNoMoreThanAsked() {
    TestDoor door = new TestDoor();
    for (int item = 0; item < 300; item++) {
      for (int set = 0; set < 5; set++) {
        if (item % (set + 1) == 0) {
          door.read(String.format("set%d/%04d", set, item));
        }
      }
    }
    assertThat(door.streams.summaries(3, door.now()).stream().map(StreamSummary::label))
        .containsExactly("set0", "set1", "set2");
    assertThat(door.streams.summaries(0, door.now())).isEmpty();
  }

  @Test
  void summariesTellRatesAndTimes() {
    SeededRuns.run(
        1,
        random -> {
          TestDoor door = new TestDoor().every(0.02);
          for (int item : Orders.epochs(1000, 1, random)) {
            door.read(String.format("set/%04d", item));
          }
          StreamSummary summary = door.summary("set");
          assertThat(summary.readsPerSecond()).isBetween(45.0, 55.0);
          assertThat(summary.storeShare()).isEqualTo(1);
          assertThat(summary.storeSeconds()).isBetween(0.00099, 0.00101);
          assertThat(summary.cacheSeconds()).isZero();
          assertThat(summary.bytes()).isBetween(950L * TestDoor.FILE, 1050L * TestDoor.FILE);
        });
  }
}
