package io.quiver.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a server is left alone, for how long, and what ends it. */
final class CircuitBreakerTest {
  private static final long MILLISECOND = 1_000_000;

  private final CircuitBreaker breaker =
      new CircuitBreaker(Duration.ofMillis(100), Duration.ofMillis(1000));
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
      assertThat(breaker.failed(pass, now)).isEqualTo(Duration.ofMillis(rest));
      assertThat(breaker.tryPass(now + rest * MILLISECOND - 1)).isEqualTo(CircuitBreaker.REFUSED);
      now += rest * MILLISECOND;
    }
  }

  @Test
  void letsOneProbeThroughWhenTheRestIsOver() {
    breaker.failed(breaker.tryPass(now), now);
    now += 100 * MILLISECOND;
    assertThat(breaker.tryPass(now)).isNotEqualTo(CircuitBreaker.REFUSED);
    assertThat(breaker.tryPass(now)).isEqualTo(CircuitBreaker.REFUSED);
  }

  @Test
  void aGoodProbeEndsTheRestAndForgetsOldFailures() {
    breaker.failed(breaker.tryPass(now), now);
    now += 100 * MILLISECOND;
    breaker.tryPass(now);
    assertThat(breaker.succeeded()).isTrue();
    assertThat(breaker.succeeded()).isFalse();
    assertThat(breaker.tryPass(now)).isNotEqualTo(CircuitBreaker.REFUSED);
    assertThat(breaker.failed(breaker.tryPass(now), now)).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void callsThatFailTogetherCountOnce() {
    long one = breaker.tryPass(now);
    long other = breaker.tryPass(now);
    assertThat(breaker.failed(one, now)).isEqualTo(Duration.ofMillis(100));
    assertThat(breaker.failed(other, now + 90 * MILLISECOND)).isZero();
    assertThat(breaker.tryPass(now + 100 * MILLISECOND)).isNotEqualTo(CircuitBreaker.REFUSED);
  }

  @Test
  void aProbeThatSaysNothingMakesRoomForTheNext() {
    breaker.failed(breaker.tryPass(now), now);
    now += 100 * MILLISECOND;
    breaker.withdrawn(breaker.tryPass(now));
    assertThat(breaker.tryPass(now)).isNotEqualTo(CircuitBreaker.REFUSED);
  }
}
