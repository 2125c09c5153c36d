package io.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private static final long SECOND = 1_000_000_000L;

  private long now = 42;
  private final Patience patience =
      new Patience(
          new Patience.Limits(
              Duration.ofSeconds(100), Duration.ofSeconds(10), Duration.ofSeconds(20)),
          () -> now);

  @Test
  void aHeadHasItsTimeHoweverItTrickles() {
    patience.begin(Patience.Phase.HEAD);
    pass(10);
    patience.moved(1 << 20);
    assertThat(patience.exhausted(now, false)).isFalse();
    now++;
    assertThat(patience.exhausted(now, false)).isTrue();
  }

  @Test
  void bytesThatMoveInQuantityRenewTheStallTime() {
    patience.begin(Patience.Phase.SENDING);
    pass(19);
    patience.moved(Patience.PROGRESS_BYTES);
    pass(19);
    assertThat(patience.exhausted(now, false)).isFalse();
    patience.moved(Patience.PROGRESS_BYTES - 1);
    pass(2);
    assertThat(patience.exhausted(now, false)).as("a trickle is no progress").isTrue();
  }

  @Test
  void timeTheServerSpendsIsNotThePeers() {
    patience.resume();
    pass(15);
    patience.pause();
    pass(1_000);
    assertThat(patience.exhausted(now, false)).isFalse();
    patience.resume();
    pass(5);
    assertThat(patience.exhausted(now, false)).isFalse();
    pass(1);
    assertThat(patience.exhausted(now, false)).as("15 before and 6 after").isTrue();
  }

  @Test
  void underPressureStalledPeersAreCutSooner() {
    patience.begin(Patience.Phase.SENDING);
    pass(3);
    assertThat(patience.exhausted(now, false)).isFalse();
    assertThat(patience.exhausted(now, true)).isTrue();
    patience.begin(Patience.Phase.IDLE);
    pass(99);
    assertThat(patience.exhausted(now, true)).as("who holds nothing may stay").isFalse();
    pass(2);
    assertThat(patience.exhausted(now, false)).isTrue();
  }

  private void pass(long seconds) {
    now += seconds * SECOND;
  }
}
