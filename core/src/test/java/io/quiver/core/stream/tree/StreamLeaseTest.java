package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import org.junit.jupiter.api.Test;

/** A stream's lease follows from the gaps between its reads (IGTCache, §3.3). */
final class StreamLeaseTest {
  private static final double DEVIATIONS = 2.326;

  @Test
  void estimatesTheMeanGapAndItsDeviations() {
    SeededRuns.run(
        20,
        random -> {
          LeaseEstimate lease = new LeaseEstimate();
          double mean = 0.01 + random.nextDouble();
          double deviation = mean * random.nextDouble() / 4;
          for (int gap = 0; gap < 10_000; gap++) {
            double seconds = Math.max(0, mean + deviation * random.nextGaussian());
            lease.note((long) (seconds * 1e9));
          }
          assertThat(lease.quietSeconds())
              .isCloseTo(mean + DEVIATIONS * deviation, within(0.05 * mean + 0.8 * deviation));
        });
  }

  @Test
  void isSureOfNothingAfterAFewGaps() {
    LeaseEstimate lease = new LeaseEstimate();
    for (int gap = 0; gap < 7; gap++) {
      lease.note(1_000_000);
      assertThat(lease.isKnown()).isFalse();
    }
    lease.note(1_000_000);
    assertThat(lease.isKnown()).isTrue();
  }

  @Test
  void isABaseAndTheGapsOfTheStream() {
    TestDoor door = new TestDoor().every(2);
    for (int item = 0; item < 300; item++) {
      door.read(String.format("set/%04d", item));
    }
    assertThat(door.summary("set").quietSeconds()).isCloseTo(2, within(0.1));
    assertThat(door.summary("set").leaseSeconds()).isCloseTo(62, within(0.1));
  }

  /** Job 9 of the paper: 1,000 class directories at 128 images a second; 86 s. */
  @Test
  void isTheLongestOfAllSubstreams() {
    SeededRuns.run(
        2,
        random -> {
          TestDoor door = new TestDoor().every(1.0 / 128);
          for (int read = 0; read < 20_000; read++) {
            door.read(
                String.format(
                    "net/train/c%03d/%06d.jpg", random.nextInt(1000), random.nextInt(1300)));
          }
          assertThat(door.summary("net/train").leaseSeconds()).isCloseTo(86, within(6.0));
        });
  }

  @Test
  void isLongerForASlowSubstream() {
    TestDoor door = new TestDoor().every(0.01);
    for (int item = 0; item < 30_000; item++) {
      door.by(1).read(String.format("set/fast/%05d", item));
      if (item % 100 == 0) {
        door.by(2).read(String.format("set/slow/%05d", item));
      }
    }
    assertThat(door.summary("set").quietSeconds()).isBetween(0.5, 3.0);
  }

  @Test
  void tellsHowLongAStreamWasIdle() {
    TestDoor door = new TestDoor();
    for (int item = 0; item < 300; item++) {
      door.read(String.format("set/%04d", item));
    }
    door.pause(45);
    assertThat(door.summary("set").idleSeconds()).isCloseTo(45, within(0.001));
    assertThat(door.summary("set").readsPerSecond()).isZero();
  }

  @Test
  void countsAPieceOfABlockAsARead() {
    TestDoor door = new TestDoor();
    for (int item = 0; item < 300; item++) {
      door.read(String.format("set/%04d", item));
    }
    door.pause(45).read("set/0299");
    assertThat(door.summary("set").idleSeconds()).isZero();
  }
}
