package io.quiver.core.plan.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks how fast bytes change hands. */
final class AllocationMovesTest {
  private static final long MB = 1_000_000L;
  private static final long GB = 1_000_000_000L;
  private static final long CAPACITY = 100 * GB;
  private static final long MINUTE = 60_000_000_000L;
  private static final CacheBudget BUDGET = CacheBudget.of(CAPACITY);

  private static Allocator.Claimant claimant(int number, double miss, boolean measured) {
    return claimant(number, 8, miss, measured);
  }

  private static Allocator.Claimant claimant(int number, int gpus, double miss, boolean measured) {
    DatasetKey key = new DatasetKey("%016x".formatted(number));
    List<JobSpeed> jobs =
        measured ? List.of(JobSpeed.of("job-" + number, gpus, 0.001, miss)) : List.of();
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
    List<Allocator.Claimant> two = List.of(claimant(1, 0.004, true), claimant(2, 64, 0.1, true));
    Tenant first = two.get(0).demand().tenant();
    Tenant second = two.get(1).demand().tenant();
    AllocationMoves moves = AllocationMoves.NONE.toward(two, shares(two, 70, 30), BUDGET, MINUTE);
    assertThat(moves.bytes(first)).isEqualTo(70 * GB);
    assertThat(moves.bytes(second)).isEqualTo(30 * GB);
    for (int minute = 2; minute < 40; minute++) {
      AllocationMoves next = moves.toward(two, shares(two, 40, 60), BUDGET, minute * MINUTE);
      long moved = next.bytes(second) - moves.bytes(second);
      assertThat(moved).isBetween(0L, GB);
      assertThat(next.bytes(first) + next.bytes(second)).isLessThanOrEqualTo(CAPACITY);
      assertThat(minute > 31 || moved == GB).as("minute %d", minute).isTrue();
      moves = next;
    }
    assertThat(moves.bytes(first)).isEqualTo(40 * GB);
    assertThat(moves.bytes(second)).isEqualTo(60 * GB);
  }

  @Test
  void whoSavesMostForAByteGetsTheBytesFirst() {
    List<Allocator.Claimant> three =
        List.of(
            claimant(1, 0.004, true), claimant(2, 64, 0.02, true), claimant(3, 128, 0.02, true));
    AllocationMoves moves =
        AllocationMoves.NONE
            .toward(three, shares(three, 70, 0, 0), BUDGET, MINUTE)
            .toward(three, shares(three, 30, 20, 50), BUDGET, 2 * MINUTE);
    assertThat(moves.bytes(three.get(0).demand().tenant())).isEqualTo(69 * GB);
    assertThat(moves.bytes(three.get(1).demand().tenant())).isZero();
    assertThat(moves.bytes(three.get(2).demand().tenant()))
        .as("and what is free")
        .isEqualTo(31 * GB);
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

  @Test
  void bytesStayWhereTheySaveNearlyAsMuch() {
    for (int gpus : new int[] {110, 130}) {
      List<Allocator.Claimant> two =
          List.of(claimant(1, 100, 0.1, true), claimant(2, gpus, 0.1, true));
      AllocationMoves moves = AllocationMoves.NONE.toward(two, shares(two, 30, 20), BUDGET, MINUTE);
      AllocationMoves next =
          moves.toward(two, shares(two, 20, 30), CacheBudget.of(50 * GB), 2 * MINUTE);
      long moved = next.bytes(two.getLast().demand().tenant()) - 20 * GB;
      assertThat(moved).as("1.%d times as much", gpus - 100).isEqualTo(gpus < 120 ? 0 : 640 * MB);
    }
  }

  @Test
  void noSequenceOfPlansMovesMoreInAMinute() {
    SeededRuns.run(
        40,
        random -> {
          CacheBudget budget = CacheBudget.of((1 + random.nextInt(200)) * GB);
          double most = Math.max(640e6, 0.01 * budget.bytes());
          List<Allocator.Claimant> all = new ArrayList<>();
          for (int i = 0; i < 2 + random.nextInt(6); i++) {
            all.add(claimant(i, 1 + random.nextInt(100), 0.0011 + random.nextDouble(), true));
          }
          long now = MINUTE;
          AllocationMoves moves =
              AllocationMoves.NONE.toward(all, any(all, budget, random), budget, now);
          List<Long> times = new ArrayList<>();
          List<Double> moved = new ArrayList<>();
          for (int plan = 0; plan < 300; plan++) {
            now +=
                (long)
                    (random.nextInt(8) == 0
                        ? 70e9 * random.nextDouble()
                        : 2e9 * random.nextDouble());
            AllocationMoves next = moves.toward(all, any(all, budget, random), budget, now);
            times.add(now);
            moved.add(worthLost(all, moves, next));
            double minute = 0;
            for (int i = 0; i < times.size(); i++) {
              minute += now - times.get(i) < MINUTE ? moved.get(i) : 0;
            }
            assertThat(minute).isLessThanOrEqualTo(most + 10);
            assertThat(next.recent()).hasSizeLessThanOrEqualTo(62);
            assertThat(all.stream().mapToLong(each -> next.bytes(each.demand().tenant())).sum())
                .isLessThanOrEqualTo(budget.bytes());
            moves = next;
          }
        });
  }

  /** Returns the bytes that tenants lose although these save them time. */
  private static double worthLost(
      List<Allocator.Claimant> all, AllocationMoves before, AllocationMoves after) {
    double lost = 0;
    for (Allocator.Claimant each : all) {
      Demand demand = each.demand();
      long had = before.bytes(demand.tenant());
      long used = demand.steps(had);
      while (used > 0 && demand.gpusSaved((int) used - 1) == demand.gpusSaved(demand.steps(had))) {
        used--;
      }
      long most = used == demand.steps(had) ? had : demand.bytes((int) used);
      lost += Math.max(0, most - after.bytes(demand.tenant()));
    }
    return lost;
  }

  /** Returns any division, as often among those who gain as not. */
  private static Map<Tenant, Allocator.Share> any(
      List<Allocator.Claimant> all, CacheBudget budget, Random random) {
    Map<Tenant, Allocator.Share> shares = new HashMap<>();
    long left = budget.bytes();
    for (Allocator.Claimant each : all) {
      long part = Math.min(CAPACITY, (long) (left * random.nextDouble()));
      shares.put(each.demand().tenant(), new Allocator.Share(part, 0));
      left -= part;
    }
    return shares;
  }
}
