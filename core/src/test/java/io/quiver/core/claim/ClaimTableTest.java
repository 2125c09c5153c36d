package io.quiver.core.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClaimTableTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long LEASE = 5 * SECOND;
  private final ClaimTable table = new ClaimTable(Duration.ofSeconds(5), 1000);

  @Test
  void theFirstToAskGetsTheClaimAndOthersWait() {
    assertThat(table.ask(hash(1), "a", 0)).isEqualTo(Claim.YOURS);
    assertThat(table.ask(hash(1), "b", 1)).isEqualTo(Claim.PENDING);
    assertThat(table.ask(hash(2), "b", 1)).isEqualTo(Claim.YOURS);
  }

  @Test
  void anExpiredClaimPassesToTheNextWhoAsks() {
    table.ask(hash(1), "a", 0);
    assertThat(table.ask(hash(1), "b", LEASE - 1)).isEqualTo(Claim.PENDING);
    assertThat(table.ask(hash(1), "b", LEASE)).isEqualTo(Claim.YOURS);
    assertThat(table.ask(hash(1), "a", LEASE)).isEqualTo(Claim.PENDING);
  }

  @Test
  void askingAgainRenewsTheLease() {
    table.ask(hash(1), "a", 0);
    assertThat(table.ask(hash(1), "a", 4 * SECOND)).isEqualTo(Claim.YOURS);
    assertThat(table.ask(hash(1), "b", 8 * SECOND)).isEqualTo(Claim.PENDING);
    assertThat(table.ask(hash(1), "b", 9 * SECOND)).isEqualTo(Claim.YOURS);
  }

  @Test
  void anInsertEndsTheClaim() {
    table.ask(hash(1), "a", 0);
    assertThat(table.resolve(hash(1))).isTrue();
    assertThat(table.resolve(hash(1))).isFalse();
    assertThat(table.ask(hash(1), "b", 1)).isEqualTo(Claim.YOURS);
  }

  @Test
  void aFullTableForgetsExpiredClaimsFirstAndThenTheOldest() {
    ClaimTable small = new ClaimTable(Duration.ofSeconds(5), 2);
    small.ask(hash(1), "a", 0);
    small.ask(hash(2), "b", SECOND);
    small.ask(hash(3), "c", LEASE); // the claim on 1 has expired
    assertThat(small.ask(hash(2), "x", LEASE)).isEqualTo(Claim.PENDING);
    small.ask(hash(4), "d", LEASE); // nothing expired: 2 is the oldest
    assertThat(small.size(LEASE)).isEqualTo(2);
    assertThat(small.ask(hash(3), "x", LEASE)).isEqualTo(Claim.PENDING);
    assertThat(small.ask(hash(2), "x", LEASE)).isEqualTo(Claim.YOURS);
  }

  @Test
  void oneCallerKeepsOthersWaitingForTwoLeasesUnderWhateverNames() {
    long now = 0;
    for (int i = 0; i < 5; i++) { // renewed every two seconds
      assertThat(table.ask(hash(1), "squatter0", "10.0.0.1", now)).isEqualTo(Claim.YOURS);
      assertThat(table.ask(hash(1), "reader", "10.0.0.2", now)).isEqualTo(Claim.PENDING);
      now += 2 * SECOND;
    }
    assertThat(table.ask(hash(1), "squatter1", "10.0.0.1", now))
        .as("may fetch it, but nobody waits for that")
        .isEqualTo(Claim.YOURS);
    assertThat(table.ask(hash(1), "reader", "10.0.0.2", now)).isEqualTo(Claim.YOURS);
    assertThat(table.ask(hash(1), "squatter2", "10.0.0.1", now)).isEqualTo(Claim.PENDING);
    now += 12 * LEASE;
    table.resolve(hash(1));
    assertThat(table.ask(hash(1), "squatter1", "10.0.0.1", now)).isEqualTo(Claim.YOURS);
    assertThat(table.ask(hash(1), "reader", "10.0.0.2", now)).isEqualTo(Claim.PENDING);
  }

  @Test
  void oneCallerHasHalfOfTheTable() {
    for (int i = 0; i < 1000; i++) {
      assertThat(table.ask(hash(i), "a", 0)).isEqualTo(Claim.YOURS);
    }
    assertThat(table.size(0)).isEqualTo(500);
    assertThat(table.ask(hash(999), "b", 0)).isEqualTo(Claim.YOURS);
    assertThat(table.ask(hash(999), "a", 0)).isEqualTo(Claim.PENDING);
    table.resolve(hash(0));
    table.ask(hash(998), "a", 0);
    assertThat(table.ask(hash(998), "b", 0)).isEqualTo(Claim.PENDING);
  }

  @Test
  void timeMayWrapAround() {
    long late = Long.MAX_VALUE - SECOND;
    table.ask(hash(1), "a", late);
    assertThat(table.ask(hash(1), "b", late + LEASE - 1)).isEqualTo(Claim.PENDING);
    assertThat(table.ask(hash(1), "b", late + LEASE)).isEqualTo(Claim.YOURS);
  }

  @Test
  void refusesALeaseOrABoundThatMakesNoSense() {
    assertThatThrownBy(() -> new ClaimTable(Duration.ZERO, 1)).hasMessageContaining("0 ms");
    assertThatThrownBy(() -> new ClaimTable(LEASE_OF_A_SECOND, 0)).hasMessageContaining("0 claims");
  }

  private static final Duration LEASE_OF_A_SECOND = Duration.ofSeconds(1);

  /** Times of one blob: who has or had it, until when, and until when at most. */
  private record Held(String job, long expires, long ends) {}

  @Test
  void behavesLikeAPlainMapOfExpiryTimes() {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    Random random = new Random(seed);
    ClaimTable large = new ClaimTable(Duration.ofSeconds(5), 10_000);
    Map<Integer, Held> model = new HashMap<>();
    long now = random.nextLong();
    for (int step = 0; step < 20_000; step++) {
      now += random.nextLong(SECOND / 10);
      int blob = random.nextInt(100);
      if (random.nextInt(20) == 0) {
        large.resolve(hash(blob));
        model.remove(blob);
        continue;
      }
      String job = "job" + random.nextInt(4);
      Held held = model.getOrDefault(blob, new Held("nobody", now, now + 2 * LEASE));
      boolean lasts = now - held.expires < 0;
      assertThat(large.ask(hash(blob), job, now))
          .as("seed %d step %d", seed, step)
          .isEqualTo(lasts && !held.job.equals(job) ? Claim.PENDING : Claim.YOURS);
      if (lasts && held.job.equals(job)) {
        long expires = now + Math.min(LEASE, held.ends - now);
        model.put(blob, new Held(job, expires, held.ends));
      } else if (!lasts) {
        boolean known = held.job.equals(job) && now - held.expires < 12 * LEASE;
        long left = known ? held.ends - held.expires : 2 * LEASE;
        if (left > 0) {
          model.put(blob, new Held(job, now + Math.min(LEASE, left), now + left));
        }
      }
    }
  }

  private static ContentHash hash(int number) {
    return ContentHash.ofContent(new byte[] {(byte) number, (byte) (number >> 8)});
  }

  @Test
  void namesChosenToCollideCostNoMoreThanOthers() {
    ClaimTable large = new ClaimTable(Duration.ofSeconds(5), 1 << 20);
    byte[] bytes = new byte[ContentHash.BYTES];
    ByteBuffer name = ByteBuffer.wrap(bytes);
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          for (int i = 0; i < 100_000; i++) {
            name.putInt(28, i);
            large.ask(ContentHash.of(bytes), "a", 0);
          }
        });
    assertThat(large.size(0)).isEqualTo(100_000);
  }
}
