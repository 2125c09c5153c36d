package io.quiver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
  private final ByteBudget budget = new ByteBudget(10 << 10, Duration.ofMillis(1));

  @Test
  void sharesAreTakenResizedAndGivenBack() throws Exception {
    ByteBudget.Share share = budget.take(1);
    assertThat(budget.heldBytes()).isEqualTo(1 << 10);
    share.resize(9 << 10);
    assertThat(budget.heldBytes()).isEqualTo(9 << 10);
    share.resize(0);
    assertThat(budget.heldBytes()).isZero();
    share.resize(3 << 10);
    share.close();
    share.close();
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void whatDoesNotFitIsRefusedAndChangesNothing() throws Exception {
    try (ByteBudget.Share first = budget.take(6 << 10);
        ByteBudget.Share second = budget.take(1 << 10)) {
      assertThatThrownBy(() -> budget.take(5 << 10))
          .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.status()).isEqualTo(429));
      assertThatThrownBy(() -> first.resize(10 << 10)).isInstanceOf(Refusal.class);
      assertThat(budget.heldBytes()).isEqualTo(7 << 10);
      assertThat(second).isNotNull();
    }
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void moreThanEverythingMeansEverything() throws Exception {
    try (ByteBudget.Share share = budget.take(Long.MAX_VALUE)) {
      assertThat(share).isNotNull();
      assertThat(budget.heldBytes()).isEqualTo(10 << 10);
    }
  }
}
