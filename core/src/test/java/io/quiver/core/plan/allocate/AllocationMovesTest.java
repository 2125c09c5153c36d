package io.quiver.core.plan.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks how fast bytes change hands. */
final class AllocationMovesTest {
  private static final long GB = 1_000_000_000L;
  private static final long CAPACITY = 100 * GB;
  private static final long MINUTE = 60_000_000_000L;
  private static final CacheBudget BUDGET = CacheBudget.of(CAPACITY);

  private static Allocator.Claimant claimant(int number, double miss, boolean measured) {
    DatasetKey key = new DatasetKey("%016x".formatted(number));
    List<JobSpeed> jobs =
        measured ? List.of(JobSpeed.of("job-" + number, 8, 0.001, miss)) : List.of();
    Demand demand = Demand.ring(key, CAPACITY, 100, 3, 1, jobs);
    return new Allocator.Claimant(demand, measured, 3 * GB, Allocator.Share.NOTHING);
  }

  private static Map<Tenant, Allocator.Share> shares(
      List<Allocator.Claimant> claimants, long... gigabytes) {
    Map<Tenant, Allocator.Share> shares = new HashMap<>();
    for (int i = 0; i < gigabytes.length; i++) {
      shares.put(claimants.get(i).demand().tenant(), new Allocator.Share(gigabytes[i] * GB, 0));
    }
    return shares;
  }

  @Test
  void freeBytesAreGivenAtOnceAndOthersBytesAHundredthAMinute() {
    List<Allocator.Claimant> two = List.of(claimant(1, 0.02, true), claimant(2, 0.1, true));
    Tenant first = two.get(0).demand().tenant();
    Tenant second = two.get(1).demand().tenant();
    AllocationMoves moves = AllocationMoves.NONE.toward(two, shares(two, 90, 10), BUDGET, MINUTE);
    assertThat(moves.bytes(first)).isEqualTo(90 * GB);
    assertThat(moves.bytes(second)).isEqualTo(10 * GB);
    for (int minute = 2; minute < 40; minute++) {
      AllocationMoves next = moves.toward(two, shares(two, 60, 40), BUDGET, minute * MINUTE);
      long moved = next.bytes(second) - moves.bytes(second);
      assertThat(moved).isBetween(0L, GB);
      assertThat(next.bytes(first) + next.bytes(second)).isLessThanOrEqualTo(CAPACITY);
      assertThat(minute > 31 || moved == GB).as("minute %d", minute).isTrue();
      moves = next;
    }
    assertThat(moves.bytes(first)).isEqualTo(60 * GB);
    assertThat(moves.bytes(second)).isEqualTo(40 * GB);
  }

  @Test
  void whoSavesMostForAByteGetsTheBytesFirst() {
    List<Allocator.Claimant> three =
        List.of(claimant(1, 0.1, true), claimant(2, 0.002, true), claimant(3, 0.02, true));
    AllocationMoves moves =
        AllocationMoves.NONE
            .toward(three, shares(three, 100, 0, 0), BUDGET, MINUTE)
            .toward(three, shares(three, 60, 20, 20), BUDGET, 2 * MINUTE);
    assertThat(moves.bytes(three.get(0).demand().tenant())).isEqualTo(99 * GB);
    assertThat(moves.bytes(three.get(1).demand().tenant())).isZero();
    assertThat(moves.bytes(three.get(2).demand().tenant())).isEqualTo(GB);
  }

  @Test
  void trialsPinsAndExtrasDoNotWait() {
    Allocator.Claimant old = claimant(1, 0.002, true);
    Allocator.Claimant fresh = claimant(2, 0.002, false);
    List<Allocator.Claimant> both = List.of(old, fresh);
    AllocationMoves full = AllocationMoves.NONE.toward(both, shares(both, 100, 0), BUDGET, MINUTE);
    AllocationMoves trial = full.toward(both, shares(both, 97, 3), BUDGET, MINUTE + 1);
    assertThat(trial.bytes(fresh.demand().tenant())).isEqualTo(3 * GB);

    Demand demand = fresh.demand().within(50 * GB, Long.MAX_VALUE);
    Allocator.Claimant pinned =
        new Allocator.Claimant(demand, true, 3 * GB, Allocator.Share.NOTHING);
    List<Allocator.Claimant> withPin = List.of(old, pinned);
    AllocationMoves pin = trial.toward(withPin, shares(withPin, 50, 50), BUDGET, MINUTE + 2);
    assertThat(pin.bytes(demand.tenant())).isEqualTo(50 * GB);

    Map<Tenant, Allocator.Share> extra = shares(both, 10, 0);
    extra.put(fresh.demand().tenant(), new Allocator.Share(0, 90 * GB));
    AllocationMoves spare = AllocationMoves.NONE.toward(both, extra, BUDGET, MINUTE);
    AllocationMoves taken = spare.toward(both, shares(both, 100, 0), BUDGET, MINUTE + 1);
    assertThat(taken.bytes(old.demand().tenant())).isEqualTo(100 * GB);
  }

  @Test
  void theFirstShareByMeasuredWorthDoesNotWait() {
    Allocator.Claimant old = claimant(1, 0.1, true);
    List<Allocator.Claimant> trial = List.of(old, claimant(2, 0.2, false));
    List<Allocator.Claimant> measured = List.of(old, claimant(2, 0.2, true));
    Tenant fresh = measured.get(1).demand().tenant();
    AllocationMoves first =
        AllocationMoves.NONE
            .toward(trial, shares(trial, 97, 3), BUDGET, MINUTE)
            .toward(measured, shares(measured, 40, 60), BUDGET, 2 * MINUTE);
    assertThat(first.bytes(fresh)).as("its first").isEqualTo(60 * GB);
    AllocationMoves second = first.toward(measured, shares(measured, 10, 90), BUDGET, 3 * MINUTE);
    assertThat(second.bytes(fresh)).as("more later").isEqualTo(61 * GB);
    AllocationMoves unknown = second.toward(trial, shares(trial, 97, 3), BUDGET, 4 * MINUTE);
    assertThat(unknown.bytes(fresh)).as("its jobs began anew").isEqualTo(60 * GB);
  }

  @Test
  void bytesThatSaveTheirTenantNothingAreTakenAtOnce() {
    List<Allocator.Claimant> two = List.of(claimant(1, 0.002, true), claimant(2, 0.01, true));
    AllocationMoves moves =
        AllocationMoves.NONE
            .toward(two, shares(two, 90, 10), BUDGET, MINUTE)
            .toward(two, shares(two, 40, 60), BUDGET, 2 * MINUTE);
    assertThat(moves.bytes(two.getFirst().demand().tenant()))
        .as("half of the data keeps its job busy")
        .isEqualTo(49 * GB);
  }

  @Test
  void aSmallerCacheTakesBytesAtOnce() {
    List<Allocator.Claimant> two = List.of(claimant(1, 0.002, true), claimant(2, 0.01, true));
    AllocationMoves moves =
        AllocationMoves.NONE
            .toward(two, shares(two, 50, 50), BUDGET, MINUTE)
            .toward(two, shares(two, 10, 30), CacheBudget.of(40 * GB), MINUTE + 1);
    long sum = two.stream().mapToLong(each -> moves.bytes(each.demand().tenant())).sum();
    assertThat(sum).isLessThanOrEqualTo(40 * GB);
  }
}
