package io.quiver.client.buffer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.client.buffer.BufferPool.Lease;
import io.quiver.client.buffer.BufferPool.SizeClass;
import io.quiver.testkit.SeededRuns;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Budget, reuse, waiting and leaks. */
final class BufferPoolTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  @Test
  void lendsAsManyBytesAsAskedFor() throws InterruptedException {
    BufferPool pool = new BufferPool(1 << 20, true);
    for (int bytes : new int[] {0, 1, 4095, 4096, 4097, 100_000}) {
      try (Lease lease = lend(pool, bytes)) {
        assertThat(lease.buffer().isDirect()).isTrue();
        assertThat(lease.buffer().position()).isZero();
        assertThat(lease.buffer().remaining()).isEqualTo(bytes);
      }
    }
    assertThat(pool.lentBytes()).isZero();
    pool.close();
  }

  @Test
  void sizesWasteAtMostAQuarterAndNeverShrink() {
    SeededRuns.run(
        1000,
        random -> {
          int bytes = 1 + (random.nextInt(Integer.MAX_VALUE - 1) >>> random.nextInt(31));
          int capacity = SizeClass.capacity(bytes);
          assertThat(capacity).isGreaterThanOrEqualTo(Math.max(bytes, SizeClass.MINIMUM));
          if (bytes > SizeClass.MINIMUM) {
            assertThat((long) capacity * 3).isLessThanOrEqualTo(4L * bytes);
          }
          assertThat(SizeClass.capacity(capacity)).isEqualTo(capacity);
        });
  }

  @Test
  void neverLendsOrKeepsMoreThanItsBudget() {
    SeededRuns.run(
        20,
        random -> {
          BufferPool pool = new BufferPool(1 << 20, random.nextBoolean());
          Deque<Lease> leases = new ArrayDeque<>();
          for (int i = 0; i < 500; i++) {
            if (random.nextBoolean()) {
              Lease lease = pool.lend(random.nextInt(300_000), 0);
              if (lease != null) {
                leases.add(lease);
              }
            } else if (!leases.isEmpty()) {
              leases.remove().close();
            }
            assertThat(pool.lentBytes() + pool.idleBytes()).isLessThanOrEqualTo(1 << 20);
          }
          leases.forEach(Lease::close);
          assertThat(pool.lentBytes()).isZero();
          pool.close();
          assertThat(pool.idleBytes()).isZero();
        });
  }

  @Test
  void usesTheLastBufferAgain() throws InterruptedException {
    BufferPool pool = new BufferPool(1 << 20, false);
    Lease first = lend(pool, 10_000);
    first.buffer().putLong(0, 42);
    first.close();
    try (Lease second = lend(pool, 9_000)) {
      assertThat(second.buffer().getLong(0)).isEqualTo(42);
    }
    pool.close();
  }

  @Test
  void returningTwiceCountsOnce() throws InterruptedException {
    BufferPool pool = new BufferPool(1 << 20, false);
    Lease lease = lend(pool, 5000);
    lease.close();
    lease.close();
    assertThat(pool.lentBytes()).isZero();
    assertThat(pool.idleBytes()).isEqualTo(SizeClass.capacity(5000));
    pool.close();
  }

  @Test
  void saysNoWhenTheBudgetIsLentAndTheWaitIsOver() throws InterruptedException {
    BufferPool pool = new BufferPool(8192, true);
    try (Lease all = lend(pool, 8192)) {
      assertThat(pool.lend(1, 0)).isNull();
      assertThat(pool.lend(1, TimeUnit.MILLISECONDS.toNanos(5))).isNull();
      assertThat(all.buffer().capacity()).isEqualTo(8192);
    }
    assertThat(pool.fits(8192)).isTrue();
    assertThat(pool.fits(8193)).isFalse();
    assertThat(pool.fits(Long.MAX_VALUE)).isFalse();
    pool.close();
  }

  @Test
  void waitsForOthersToGiveBack() throws Exception {
    BufferPool pool = new BufferPool(8192, true);
    Lease all = lend(pool, 8192);
    CompletableFuture<Void> waiting = new CompletableFuture<>();
    Thread waiter = Thread.ofVirtual().start(() -> lendAndReturn(pool, waiting));
    all.close();
    waiting.get(1, TimeUnit.MINUTES);
    waiter.join();
    pool.close();
  }

  @Test
  void closingWakesThoseWhoWait() throws Exception {
    BufferPool pool = new BufferPool(8192, false);
    Lease all = lend(pool, 8192);
    CompletableFuture<Void> refused = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            assertThat(pool.lend(1, MINUTE)).isNull();
            refused.complete(null);
          } catch (InterruptedException | AssertionError e) {
            refused.completeExceptionally(e);
          }
        });
    pool.close();
    refused.get(1, TimeUnit.MINUTES);
    all.close();
    assertThat(pool.lentBytes() + pool.idleBytes()).isZero();
  }

  @Test
  void aParanoidPoolNamesWhoForgotToGiveBack() throws InterruptedException {
    BufferPool pool = new BufferPool(1 << 20, true);
    Lease forgotten = lend(pool, 100);
    assertThatIllegalStateException()
        .isThrownBy(pool::close)
        .withMessageContaining("1 answers were not closed")
        .satisfies(e ->
            assertThat(e.getSuppressed()[0].getStackTrace())
                .anyMatch(frame -> frame.getMethodName().startsWith("aParanoidPoolNames")));
    forgotten.close();
  }

  @Test
  void aParanoidPoolMakesReturnedMemoryUnreadable() throws InterruptedException {
    BufferPool pool = new BufferPool(1 << 20, true);
    Lease lease = lend(pool, 100);
    ByteBuffer slice = lease.buffer().slice(10, 10);
    lease.close();
    assertThatThrownBy(() -> slice.get(0)).isInstanceOf(IllegalStateException.class);
    pool.close();
  }

  @Test
  void aForgottenLeaseIsNoticedAndItsRoomFreedButItsMemoryStaysReadable() throws Exception {
    BufferPool pool = new BufferPool(8192, false);
    ByteBuffer stray = strayBytes(pool);
    // Collected within a few cycles, or the loop's bound fails the test.
    for (int i = 0; i < 100 && pool.forgotten() == 0; i++) {
      WeakReference<Object> collected = new WeakReference<>(new Object());
      while (collected.get() != null) {
        System.gc();
      }
      pool.checkForgotten();
    }
    assertThat(pool.forgotten()).isEqualTo(1);
    assertThat(pool.lentBytes()).isZero();
    try (Lease next = lend(pool, 8192)) {
      next.buffer().putLong(0, 1);
      assertThat(stray.getLong(0)).isEqualTo(7);
    }
    pool.close();
  }

  private static ByteBuffer strayBytes(BufferPool pool) throws InterruptedException {
    Lease forgotten = lend(pool, 8192);
    forgotten.buffer().putLong(0, 7);
    return forgotten.buffer().slice(0, 8);
  }

  private static void lendAndReturn(BufferPool pool, CompletableFuture<Void> done) {
    try (Lease lease = lend(pool, 1)) {
      assertThat(lease.buffer().capacity()).isEqualTo(1);
    } catch (InterruptedException | RuntimeException | AssertionError e) {
      done.completeExceptionally(e);
    }
    done.complete(null);
  }

  private static Lease lend(BufferPool pool, int bytes) throws InterruptedException {
    return requireNonNull(pool.lend(bytes, MINUTE));
  }
}
