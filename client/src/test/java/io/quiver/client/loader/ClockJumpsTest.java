package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.link.ManagerHealth;
import io.quiver.core.engine.LoopClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Clocks that jump, as on machines that sleep or are corrected, lead to no nonsense. */
class ClockJumpsTest {
  private final AtomicLong now = new AtomicLong(1_000);

  @Test
  void aManagerCountsAsAwayAfterAJumpUntilItAnswersAgain() {
    ManagerHealth health = new ManagerHealth("job", "manager:1", now::get);
    assertThat(health.reachable()).isFalse();
    health.met();
    assertThat(health.reachable()).isTrue();
    now.addAndGet(Duration.ofHours(5).toNanos());
    assertThat(health.reachable()).isFalse();
    health.met();
    assertThat(health.reachable()).isTrue();
    now.addAndGet(-Duration.ofHours(9).toNanos());
    assertThat(health.reachable()).isTrue();
  }

  @Test
  void aClockThatGoesBackTakesNoTimeFromTheLoop() {
    LoopClock clock = new LoopClock();
    clock.asked(1_000_000);
    assertThat(clock.answered(400_000, 4).waited()).isZero();
    assertThat(clock.asked(200_000)).isEqualTo(new LoopClock.Work(0, 0, 0));
    assertThat(clock.itemSeconds()).isZero();
    assertThat(clock.idleSeconds(0)).isZero();
  }
}
