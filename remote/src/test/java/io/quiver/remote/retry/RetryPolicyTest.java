package io.quiver.remote.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.remote.RetryConfig;
import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Checks when failures are repeated. */
final class RetryPolicyTest {
  private static final RetryConfig CONFIG =
      new RetryConfig(8, Duration.ofMillis(100), Duration.ofSeconds(2), 10);
  private static final RetryPolicy POLICY = new RetryPolicy(CONFIG, Duration.ofSeconds(30));

  private static Duration delay(RetryPolicy.Decision decision) {
    assertThat(decision).isInstanceOf(RetryPolicy.Retry.class);
    return ((RetryPolicy.Retry) decision).delay();
  }

  @Test
  void delaysAreSpreadEvenlyBelowADoublingBound() {
    SplittableRandom random = new SplittableRandom(1);
    for (int failures = 1; failures <= 8; failures++) {
      double bound = Math.min(2000, 100 * Math.pow(2, failures - 1));
      double sum = 0;
      double longest = 0;
      int draws = 4000;
      for (int i = 0; i < draws; i++) {
        Duration delay = delay(POLICY.decide(failures, Duration.ZERO, Duration.ZERO, random));
        longest = Math.max(longest, delay.toNanos() / 1e6);
        sum += delay.toNanos() / 1e6;
      }
      assertThat(longest).isBetween(bound * 0.98, bound);
      assertThat(sum / draws).isCloseTo(bound / 2, within(bound * 0.03));
    }
  }

  @Test
  void attemptsAreBounded() {
    SplittableRandom random = new SplittableRandom(2);
    assertThat(POLICY.decide(9, Duration.ZERO, Duration.ZERO, random))
        .isEqualTo(new RetryPolicy.GiveUp("all 8 retries are used up"));
  }

  @Test
  void noAttemptBeginsAfterTheDeadline() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 1000; i++) {
      Duration elapsed = Duration.ofMillis(random.nextInt(40_000));
      RetryPolicy.Decision decision = POLICY.decide(8, elapsed, Duration.ZERO, random);
      if (decision instanceof RetryPolicy.Retry retry) {
        assertThat(elapsed.plus(retry.delay())).isLessThan(POLICY.deadline());
      } else {
        assertThat(elapsed).isGreaterThan(Duration.ofSeconds(28));
      }
    }
  }

  @Test
  void aServicesWishIsGrantedUpToTheCap() {
    SplittableRandom random = new SplittableRandom(4);
    assertThat(delay(POLICY.decide(1, Duration.ZERO, Duration.ofSeconds(1), random)))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(delay(POLICY.decide(1, Duration.ZERO, Duration.ofHours(1), random)))
        .isEqualTo(Duration.ofSeconds(2));
    assertThat(Refusals.retryAfter("7")).isEqualTo(Duration.ofSeconds(7));
    assertThat(Refusals.retryAfter("Fri, 31 Dec 1999 23:59:59 GMT")).isZero();
    assertThat(Refusals.retryAfter("99999999999999999999")).isZero();
  }

  @Test
  void theBudgetMatchesItsModel() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int capacity = 20;
    RetryBudget budget = new RetryBudget(capacity);
    double model = capacity;
    long taken = 0;
    long successes = 0;
    for (int i = 0; i < 100_000; i++) {
      if (random.nextInt(12) > 0) {
        budget.succeeded();
        successes++;
        model = Math.min(capacity, model + 0.1);
      } else {
        boolean possible = model >= 1 - 1e-6;
        assertThat(budget.take()).as("seed %d, step %d", seed, i).isEqualTo(possible);
        model -= possible ? 1 : 0;
        taken += possible ? 1 : 0;
      }
    }
    assertThat(taken).as("seed %d", seed).isLessThanOrEqualTo(capacity + successes / 10);
  }
}
