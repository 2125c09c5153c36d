package io.quiver.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Checks when and for how long a server is left alone, and what ends it. */
final class CircuitBreakerTest {
  private static final long MILLISECOND = 1_000_000;

  private final CircuitBreaker breaker =
      new CircuitBreaker(Duration.ofMillis(100), Duration.ofSeconds(1));
  private long now = Long.MAX_VALUE - 50 * MILLISECOND;

  @Test
  void letsEverybodyPassWhileAllIsWell() {
    for (int i = 0; i < 10; i++) {
      assertThat(breaker.tryPass(now)).isNotEqualTo(CircuitBreaker.REFUSED);
    }
  }

  @Test
  void restsTwiceAsLongAfterEachFailureUpToABoundAlsoWhenTheClockOverflows() {
    for (long rest : new long[] {100, 200, 400, 800, 1000, 1000}) {
      long pass = breaker.tryPass(now);
      assertThat(breaker.failed(pass, now, 0)).isEqualTo(Duration.ofMillis(rest));
      assertThat(breaker.tryPass(now + rest * MILLISECOND - 1)).isEqualTo(CircuitBreaker.REFUSED);
      now += rest * MILLISECOND;
    }
  }

  @Test
  void letsOneProbeThroughWhenTheRestIsOver() {
    breaker.failed(breaker.tryPass(now), now, 0);
    now += 100 * MILLISECOND;
    assertThat(breaker.tryPass(now)).isNotEqualTo(CircuitBreaker.REFUSED);
    assertThat(breaker.tryPass(now)).isEqualTo(CircuitBreaker.REFUSED);
  }

  @Test
  void aGoodProbeEndsTheRestAndForgetsOldFailures() {
    breaker.failed(breaker.tryPass(now), now, 0);
    now += 100 * MILLISECOND;
    breaker.tryPass(now);
    assertThat(breaker.succeeded()).isTrue();
    assertThat(breaker.succeeded()).isFalse();
    assertThat(breaker.tryPass(now)).isNotEqualTo(CircuitBreaker.REFUSED);
    assertThat(breaker.failed(breaker.tryPass(now), now, 0)).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void callsThatFailTogetherCountOnce() {
    long one = breaker.tryPass(now);
    long other = breaker.tryPass(now);
    assertThat(breaker.failed(one, now, 0)).isEqualTo(Duration.ofMillis(100));
    assertThat(breaker.failed(other, now + 90 * MILLISECOND, 0)).isZero();
    assertThat(breaker.tryPass(now + 100 * MILLISECOND)).isNotEqualTo(CircuitBreaker.REFUSED);
  }

  @Test
  void aProbeThatSaysNothingMakesRoomForTheNext() {
    breaker.failed(breaker.tryPass(now), now, 0);
    now += 100 * MILLISECOND;
    breaker.withdrawn(breaker.tryPass(now));
    assertThat(breaker.tryPass(now)).isNotEqualTo(CircuitBreaker.REFUSED);
  }

  @Test
  void aFailureThatTookLongEarnsALongerRest() {
    assertThat(breaker.failed(breaker.tryPass(now), now, 50 * MILLISECOND))
        .isEqualTo(Duration.ofMillis(200));
    now += 200 * MILLISECOND;
    assertThat(breaker.failed(breaker.tryPass(now), now, 10_000 * MILLISECOND))
        .isEqualTo(Duration.ofSeconds(1));
  }
}
