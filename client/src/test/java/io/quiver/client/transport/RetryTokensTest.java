package io.quiver.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.transport.ServerLink.RetryTokens;
import org.junit.jupiter.api.Test;

/** Retries are a share of what succeeds. */
final class RetryTokensTest {
  @Test
  void beginsFullAndRunsOut() {
    RetryTokens budget = new RetryTokens(2);
    assertThat(budget.tryTake()).isTrue();
    assertThat(budget.tryTake()).isTrue();
    assertThat(budget.tryTake()).isFalse();
  }

  @Test
  void tenSuccessesPayForOneRetryAndTheRestIsBounded() {
    RetryTokens budget = new RetryTokens(1);
    assertThat(budget.tryTake()).isTrue();
    for (int i = 0; i < 9; i++) {
      budget.succeeded();
    }
    assertThat(budget.tryTake()).isFalse();
    for (int i = 0; i < 1000; i++) {
      budget.succeeded();
    }
    assertThat(budget.tryTake()).isTrue();
    assertThat(budget.tryTake()).isFalse();
  }
}
