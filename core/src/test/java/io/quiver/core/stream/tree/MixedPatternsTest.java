package io.quiver.core.stream.tree;

import static io.quiver.core.stream.AccessPattern.RANDOM;
import static io.quiver.core.stream.AccessPattern.SEQUENTIAL;
import static io.quiver.core.stream.AccessPattern.SKEWED;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.BlockPlace;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.testkit.SeededRuns;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One data set may be read in several ways at once (IGTCache, footnote 6). */
final class MixedPatternsTest {
  private static final int TRAIN = 4000;
  private static final int VALIDATE = 2000;

  private static String train(int item) {
    return String.format("net/train/c%02d/%04d.jpg", item / 100, item % 100);
  }

  private static String validate(int item) {
    return String.format("net/val/%05d.jpg", item);
  }

  private static TestDoor listed() {
    TestDoor door = new TestDoor();
    door.listDirectories("net", java.util.List.of("train", "val"));
    door.listDirectories("net/train", TestDoor.names("c%02d", TRAIN / 100));
    for (int c = 0; c < TRAIN / 100; c++) {
      door.listFiles(String.format("net/train/c%02d", c), TestDoor.names("%04d.jpg", 100));
    }
    door.listFiles("net/val", TestDoor.names("%05d.jpg", VALIDATE));
    return door;
  }

  private static TestDoor readBoth(Random random) {
    TestDoor door = listed();
    int[] order = Orders.epochs(TRAIN, 1, random);
    for (int step = 0; step < 1500; step++) {
      door.by(1).read(train(order[step]));
      door.by(2).read(validate(step));
      door.follow();
    }
    return door;
  }

  @Test
  void anOwnerLeavesItsQuotaToChildrenThatAreReadInDifferentWays() {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = readBoth(random);
          assertThat(door.owners()).containsExactly("net/train", "net/val");
          assertThat(door.summary("net/train").recognition().pattern()).isEqualTo(RANDOM);
          assertThat(door.summary("net/val").recognition().pattern()).isEqualTo(SEQUENTIAL);
        });
  }

  @Test
  void onlyThePartThatGoesForwardIsReadAhead() {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = readBoth(random);
          assertThat(door.fetched).hasSizeGreaterThan(1000);
          assertThat(door.fetched).allMatch(advised -> advised.startsWith("net/val/"));
        });
  }

  @Test
  void onlyThePartThatGoesForwardIsNotInserted() {
    TestDoor door = readBoth(new Random(1));
    assertThat(door.placements().of(validate(1999))).isEqualTo(BlockPlace.NOWHERE);
    assertThat(door.placements().of(train(5))).isEqualTo(BlockPlace.SHARED);
    door.plan(
        new StreamVerdict(TestDoor.key("net/train"), RANDOM, new SpaceId("stream-3"), 1 << 20),
        new StreamVerdict(TestDoor.key("net/val"), SEQUENTIAL, null, 0));
    assertThat(door.placements().of(validate(0))).isEqualTo(BlockPlace.NOWHERE);
    assertThat(door.placements().of(train(5)))
        .isEqualTo(new BlockPlace.Own(new SpaceId("stream-3")));
  }

  @Test
  void validationAfterEachEpochChangesNothing() {
    SeededRuns.run(
        2,
        random -> {
          TestDoor door = listed();
          for (int epoch = 0; epoch < 3; epoch++) {
            for (int item : Orders.shuffled(TRAIN, random)) {
              door.read(train(item));
            }
            if (epoch > 0) {
              assertThat(door.owners()).containsExactly("net/train", "net/val");
            }
            for (int item = 0; item < VALIDATE; item++) {
              door.read(validate(item));
            }
            assertThat(door.owners()).containsExactly("net/train", "net/val");
          }
        });
  }

  @Test
  void oneOwnerStaysWhereAllChildrenAreReadAlike() {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = new TestDoor();
          for (int item : Orders.epochs(3000, 1, random)) {
            door.read(String.format("set/part%d/%04d", item % 3, item));
          }
          assertThat(door.owners()).containsExactly("set");
        });
  }

  @Test
  void textThatIsScannedBesideImagesThatAreDrawnAreTwoStreams() {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = new TestDoor();
          int[] order = Orders.epochs(5000, 1, random);
          for (int step = 0; step < 1000; step++) {
            door.by(1).read("llava/text.json", step % 55, 55);
            for (int image = 0; image < 4; image++) {
              door.by(1).read(String.format("llava/images/%06d.jpg", order[4 * step + image]));
            }
          }
          assertThat(door.owners()).contains("llava/images");
          assertThat(door.summary("llava/images").recognition().pattern()).isEqualTo(RANDOM);
        });
  }

  @Test
  void aDataSetOfQueriesBesideOneOfTrainingAreTwoStreams() {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = new TestDoor();
          int[] epoch = Orders.epochs(3000, 1, random);
          int[] queries = Orders.zipf(3000, 3000, 1.1, random);
          for (int step = 0; step < 3000; step++) {
            door.by(1).read(String.format("drawn/%05d", epoch[step]));
            door.by(2).read(String.format("asked/%05d", queries[step]));
          }
          assertThat(door.summary("drawn").recognition().pattern()).isEqualTo(RANDOM);
          assertThat(door.summary("asked").recognition().pattern()).isEqualTo(SKEWED);
        });
  }
}
