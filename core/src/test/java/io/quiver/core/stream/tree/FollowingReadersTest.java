package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.AccessPattern;
import io.quiver.testkit.SeededRuns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two readers of a sequential stream that follow each other closely need the bytes in between. */
final class FollowingReadersTest {
  private static final int FILES = 4000;

  private static TestDoor read(int behind) {
    TestDoor door = new TestDoor();
    door.listFiles("set", TestDoor.names("%05d", FILES));
    for (int step = 0; step < FILES; step++) {
      door.by(1).read(String.format("set/%05d", step));
      if (step >= behind) {
        door.by(2).read(String.format("set/%05d", step - behind));
      }
      door.follow();
      if (step % 200 == 0) {
        door.summaries();
      }
    }
    return door;
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 40, 300, 1000})
  void tellsTheBytesBetweenThem(int behind) {
    TestDoor door = read(behind);
    assertThat(door.summary("set").recognition().pattern()).isEqualTo(AccessPattern.SEQUENTIAL);
    assertThat(door.summary("set").followBytes())
        .isBetween((long) behind * TestDoor.FILE * 9 / 10, (long) behind * TestDoor.FILE * 11 / 10);
  }

  @Test
  void tellsNothingOfAReaderFarBehind() {
    assertThat(read(3000).summary("set").followBytes()).isZero();
  }

  @Test
  void tellsNothingOfOneReader() {
    assertThat(read(FILES).summary("set").followBytes()).isZero();
  }

  @Test
  void tellsNothingOfReadersThatShareTheWork() {
    TestDoor door = new TestDoor();
    for (int step = 0; step < FILES; step++) {
      door.by(step % 4).read(String.format("set/%05d", step));
      door.summaries();
    }
    assertThat(door.summary("set").followBytes()).isZero();
  }

  @Test
  void forgetsAFollowerThatHasGone() {
    TestDoor door = read(40);
    for (int step = 0; step < 500; step++) {
      door.by(1).read(String.format("set/x%05d", step));
    }
    assertThat(door.summary("set").followBytes()).isZero();
  }

  @Test
  void readsAheadForBothWithoutReadingTwice() {
    SeededRuns.run(
        3,
        random -> {
          TestDoor door = read(10 + random.nextInt(200));
          assertThat(door.wasted()).hasSizeLessThan(130);
        });
  }
}
