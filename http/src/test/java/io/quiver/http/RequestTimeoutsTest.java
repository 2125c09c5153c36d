package io.quiver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestTimeoutsTest {
  private static final long SECOND = 1_000_000_000L;

  private long now = 42;
  private final RequestTimeouts timeouts =
      new RequestTimeouts(
          new RequestTimeouts.Limits(
              Duration.ofSeconds(100), Duration.ofSeconds(10), Duration.ofSeconds(20)),
          () -> now);

  @Test
  void aConnectionThatNoThreadHasTakenUpIsNotCut() {
    pass(1_000);
    assertThat(timeouts.exhausted(now, true)).isFalse();
    assertThat(timeouts.waitedNanos(now)).as("but it may give way").isPositive();
  }

  @Test
  void aHeadHasItsTimeHoweverItTrickles() {
    timeouts.begin(RequestTimeouts.Phase.HEAD);
    pass(10);
    timeouts.moved(1 << 20);
    assertThat(timeouts.exhausted(now, false)).isFalse();
    now++;
    assertThat(timeouts.exhausted(now, false)).isTrue();
  }

  @Test
  void bytesThatMoveInQuantityRenewTheStallTime() {
    timeouts.begin(RequestTimeouts.Phase.SENDING);
    pass(19);
    timeouts.moved(40 * RequestTimeouts.PROGRESS_BYTES);
    pass(19);
    assertThat(timeouts.exhausted(now, false)).isFalse();
    timeouts.moved(RequestTimeouts.PROGRESS_BYTES - 1);
    pass(2);
    assertThat(timeouts.exhausted(now, false)).as("a trickle is no progress").isTrue();
  }

  @Test
  void timeTheServerSpendsIsNotThePeers() {
    timeouts.resume(RequestTimeouts.Phase.RECEIVING);
    pass(15);
    timeouts.pause();
    pass(1_000);
    assertThat(timeouts.exhausted(now, false)).isFalse();
    timeouts.resume(RequestTimeouts.Phase.RECEIVING);
    pass(5);
    assertThat(timeouts.exhausted(now, false)).isFalse();
    pass(1);
    assertThat(timeouts.exhausted(now, false)).as("15 before and 6 after").isTrue();
  }

  @Test
  void underPressureStalledPeersAreCutSooner() {
    timeouts.begin(RequestTimeouts.Phase.SENDING);
    pass(3);
    assertThat(timeouts.exhausted(now, false)).isFalse();
    assertThat(timeouts.exhausted(now, true)).isTrue();
    timeouts.begin(RequestTimeouts.Phase.IDLE);
    pass(99);
    assertThat(timeouts.exhausted(now, true)).as("who holds nothing may stay").isFalse();
    pass(2);
    assertThat(timeouts.exhausted(now, false)).isTrue();
  }

  @Test
  void aPeerThatStaysBelowTheLeastRateIsCutInTheEnd() {
    timeouts.begin(RequestTimeouts.Phase.RECEIVING);
    int pieces = 0;
    while (!timeouts.exhausted(now, false) && pieces < 1_000) {
      pass(2);
      timeouts.moved(RequestTimeouts.PROGRESS_BYTES);
      pieces++;
    }
    assertThat(pieces).as("pieces of 64 KiB, one in two seconds").isBetween(10, 100);
  }

  @Test
  void aPeerAboveTheLeastRateGoesOnForEver() {
    timeouts.begin(RequestTimeouts.Phase.SENDING);
    for (int pieces = 0; pieces < 1_000; pieces++) {
      pass(1);
      timeouts.moved(2 * RequestTimeouts.PROGRESS_BYTES);
      assertThat(timeouts.exhausted(now, false)).isFalse();
    }
  }

  private void pass(long seconds) {
    now += seconds * SECOND;
  }
}
