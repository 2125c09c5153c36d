package io.quiver.core.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class FillPaceTest {
  private static final int MOST = 32;
  private static final long LATENCY = 150_000_000;

  /**
   * Fills through a link on which each block takes a time, for so many blocks; returns the room.
   */
  private static int open(FillPace pace, long nanosPerBlock, int blocks) {
    Deque<Long> began = new ArrayDeque<>();
    Deque<Long> ends = new ArrayDeque<>();
    long now = 0;
    long free = 0;
    int most = 0;
    for (int ended = 0; ended < blocks; ended++) {
      while (pace.room() > 0) {
        pace.begun();
        began.add(now);
        free = Math.max(free, now) + nanosPerBlock;
        ends.add(free + LATENCY);
      }
      most = ended > blocks / 2 ? Math.max(most, began.size()) : 0;
      now = ends.remove();
      pace.ended(now - began.remove(), now);
    }
    return most;
  }

  @Test
  void asManyAsAllowedAreReadWhileTheStoreAnswersAtOnce() {
    assertThat(open(new FillPace(MOST), 100_000, 2000)).isEqualTo(MOST);
  }

  @Test
  void fewerAreReadThanWouldQueueOnASlowLink() {
    long nanosPerBlock = LATENCY / 4;
    assertThat(open(new FillPace(MOST), nanosPerBlock, 2000)).isBetween(2, 12);
  }

  @Test
  void neverMoreThanAllowedAreOpenAndSomeAlwaysGo() {
    FillPace pace = new FillPace(MOST);
    long now = 0;
    for (int i = 0; i < 10_000; i++) {
      assertThat(pace.room()).isBetween(0, MOST);
      pace.begun();
      now += LATENCY;
      pace.ended(i % 7 == 0 ? LATENCY : 100 * LATENCY, now);
      assertThat(pace.room()).as("after %d", i).isPositive();
    }
  }

  @Test
  void whatNeededNoStoreSaysNothingAboutIt() {
    FillPace pace = new FillPace(MOST);
    int room = pace.room();
    pace.begun();
    assertThat(pace.room()).isEqualTo(room - 1);
    pace.unneeded();
    assertThat(pace.room()).isEqualTo(room);
  }
}
