package io.quiver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
  private static final long TOTAL = 20 << 10;

  private final ByteBudget budget = new ByteBudget(TOTAL, Duration.ofMillis(1));
  private final ByteBudget patient = new ByteBudget(TOTAL, Duration.ofMinutes(2));

  /** Takes a share on a thread of its own. */
  private CompletableFuture<ByteBudget.Share> taking(String caller, long bytes) {
    CompletableFuture<ByteBudget.Share> share = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        share.complete(patient.take(caller, bytes));
      } catch (Refusal e) {
        share.completeExceptionally(e);
      }
    });
    return share;
  }

  @Test
  void sharesAreTakenResizedAndGivenBack() throws Exception {
    ByteBudget.Share share = budget.take("a", 1);
    assertThat(budget.heldBytes()).isEqualTo(1 << 10);
    share.grow(9 << 10);
    assertThat(budget.heldBytes()).isEqualTo(9 << 10);
    share.grow(1);
    assertThat(share.bytes()).as("growing never shrinks").isEqualTo(9 << 10);
    share.shrink(0);
    assertThat(budget.heldBytes()).isZero();
    share.grow(3 << 10);
    share.close();
    share.close();
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void whatDoesNotFitIsRefusedAndChangesNothing() throws Exception {
    try (ByteBudget.Share first = budget.take("a", TOTAL / 2);
        ByteBudget.Share second = budget.take("b", TOTAL / 4)) {
      assertThatThrownBy(() -> budget.take("c", TOTAL / 2))
          .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.status()).isEqualTo(429));
      try (ByteBudget.Share third = budget.take("c", TOTAL / 4)) {
        assertThatThrownBy(() -> third.grow(TOTAL / 2)).isInstanceOf(Refusal.class);
        assertThat(budget.heldBytes()).isEqualTo(TOTAL);
      }
      assertThat(first.bytes()).isEqualTo(2 * second.bytes());
    }
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void oneCallerHasHalfOfItAtMost() throws Exception {
    try (ByteBudget.Share greedy = budget.take("a", Long.MAX_VALUE)) {
      assertThat(greedy.bytes()).isEqualTo(TOTAL / 2);
      assertThatThrownBy(() -> budget.take("a", 1)).isInstanceOf(Refusal.class);
      greedy.grow(TOTAL);
      assertThat(greedy.bytes()).isEqualTo(TOTAL / 2);
      try (ByteBudget.Share other = budget.take("b", Long.MAX_VALUE)) {
        assertThat(other.bytes()).isEqualTo(TOTAL / 2);
      }
    }
  }

  @Test
  void whoWaitsForItsOwnBytesHoldsNobodyUp() throws Exception {
    ByteBudget.Share greedy = patient.take("a", TOTAL / 2);
    CompletableFuture<ByteBudget.Share> more = taking("a", 1);
    Await.until("it waits", () -> patient.contended("a"));
    assertThat(patient.contended("b")).as("b holds nothing that anybody waits for").isFalse();
    ByteBudget.Share other = taking("b", 1).get(1, TimeUnit.MINUTES);
    assertThat(more).isNotDone();
    greedy.close();
    more.get(1, TimeUnit.MINUTES).close();
    other.close();
    assertThat(patient.heldBytes()).isZero();
  }

  @Test
  void aLargeShareIsServedBeforeSmallOnesThatCameLater() throws Exception {
    ByteBudget.Share first = patient.take("a", TOTAL / 2);
    ByteBudget.Share second = patient.take("b", TOTAL / 4);
    CompletableFuture<ByteBudget.Share> large = taking("c", TOTAL / 2);
    Await.until("it waits", () -> patient.contended("a"));
    CompletableFuture<ByteBudget.Share> small = taking("d", TOTAL / 2);
    second.close();
    large.get(1, TimeUnit.MINUTES).close();
    first.close();
    small.get(1, TimeUnit.MINUTES).close();
    assertThat(patient.heldBytes()).isZero();
  }
}
