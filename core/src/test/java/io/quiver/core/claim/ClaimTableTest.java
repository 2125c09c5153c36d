package io.quiver.core.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.hash.ContentHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
    small.ask(hash(2), "a", SECOND);
    small.ask(hash(3), "a", LEASE); // the claim on 1 has expired
    assertThat(small.ask(hash(2), "b", LEASE)).isEqualTo(Claim.PENDING);
    small.ask(hash(4), "a", LEASE); // nothing expired: 2 is the oldest
    assertThat(small.size(LEASE)).isEqualTo(2);
    assertThat(small.ask(hash(3), "b", LEASE)).isEqualTo(Claim.PENDING);
    assertThat(small.ask(hash(2), "b", LEASE)).isEqualTo(Claim.YOURS);
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

  @Test
  void behavesLikeAPlainMapOfExpiryTimes() {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    Random random = new Random(seed);
    Map<Integer, List<Object>> model = new HashMap<>();
    long now = random.nextLong();
    for (int step = 0; step < 20_000; step++) {
      now += random.nextLong(SECOND / 20);
      int blob = random.nextInt(300);
      if (random.nextInt(4) == 0) {
        table.resolve(hash(blob));
        model.remove(blob);
        continue;
      }
      String job = "job" + random.nextInt(4);
      List<Object> held = model.get(blob);
      boolean free = held == null || now - (long) held.get(1) >= 0 || held.get(0).equals(job);
      assertThat(table.ask(hash(blob), job, now))
          .as("seed %d step %d", seed, step)
          .isEqualTo(free ? Claim.YOURS : Claim.PENDING);
      if (free) {
        model.put(blob, new ArrayList<>(List.of(job, now + LEASE)));
      }
    }
  }

  private static ContentHash hash(int number) {
    return ContentHash.ofContent(new byte[] {(byte) number, (byte) (number >> 8)});
  }
}
