package io.quiver.core.plan.allocate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks the policy of IGTCache against the formulas and the rounds that its paper describes. */
final class IgtAllocationTest {
  private static final long MB = 1_000_000;
  private static final long GB = 1000 * MB;
  private static final double BLOCK = 4 * MB;
  private static final int STEPS = 32;
  private static final IgtAllocation DUE = new IgtAllocation(ShiftRules.PAPER, true);
  private static final IgtAllocation BETWEEN = new IgtAllocation(ShiftRules.PAPER, false);

  private static Demand stream(String name, long bytes, UnreadCurve curve, double reads) {
    JobSpeed speed = JobSpeed.waiting(name, 0.5 / reads, 1 / reads);
    return Demand.of(new Tenant.StreamKey(name), bytes, curve, List.of(speed))
        .reading(reads * BLOCK);
  }

  private static Demand random(String name, long bytes, double reads) {
    return stream(name, bytes, UnreadCurve.random(STEPS), reads);
  }

  private static Demand sequential(String name, long bytes, double reads) {
    return stream(name, bytes, UnreadCurve.sequential(1), reads);
  }

  /** Returns reads of which the share p^exponent hits with the share p of the bytes. */
  private static Demand skewed(String name, long bytes, double exponent, double reads) {
    long[] hits = new long[STEPS + 1];
    Arrays.setAll(hits, held -> Math.round(1e9 * Math.pow((double) held / STEPS, exponent)));
    return stream(name, bytes, UnreadCurve.skewed(hits, 1_000_000_000), reads);
  }

  /** Returns the shares after so many rounds, each of which moved no more than it may. */
  private static long[] rounds(int count, long capacity, List<Demand> demands) {
    CacheBudget budget = CacheBudget.of(capacity);
    long[] shares = BETWEEN.divide(demands, budget, new long[demands.size()]);
    for (int round = 0; round < count; round++) {
      long[] next = DUE.divide(demands, budget, shares);
      long moved = 0;
      for (int i = 0; i < next.length; i++) {
        moved += Math.max(0, next[i] - shares[i]);
      }
      assertThat(moved).as("round %d", round).isLessThanOrEqualTo(640 * MB + next.length);
      long[] between = BETWEEN.divide(demands, budget, next);
      for (int i = 0; i < next.length; i++) {
        assertThat(between[i]).as("between rounds").isCloseTo(next[i], within((long) next.length));
      }
      shares = next;
    }
    return shares;
  }

  @Test
  void theMarginalBenefitIsThePapers() {
    double gap = 1 / 50.0;
    double blocks = 100 * GB / BLOCK;
    assertThat(DUE.benefit(random("r", 100 * GB, 50), 3 * GB))
        .as("random: 1/(g·n)")
        .isCloseTo(1 / (gap * blocks), within(1e-9));
    assertThat(DUE.benefit(sequential("s", 100 * GB, 50), 0)).as("sequential").isZero();
    Demand skewed = skewed("z", 20 * GB, 0.5, 50);
    // The ghost is as long as what a round moves; a step of the curve is not longer.
    double window = 640 * MB / BLOCK;
    double ghostHits = Math.sqrt(10.64 / 20) - Math.sqrt(10.0 / 20);
    assertThat(DUE.benefit(skewed, 10 * GB))
        .as("skewed: λ·f/w")
        .isCloseTo(50 * ghostHits / window, within(2e-5));
  }

  @Test
  void jobsThatShareADataSetMakeItsGapsSmaller() {
    DatasetKey key = new DatasetKey("00000000000000aa");
    Demand one = Demand.ring(key, 10 * GB, 100, 3, 1, List.of()).reading(100 * MB);
    Demand two = Demand.ring(key, 10 * GB, 100, 3, 2, List.of()).reading(200 * MB);
    for (long share : new long[] {0, GB / 10, 5 * GB, 10 * GB}) {
      assertThat(DUE.benefit(one, share)).isCloseTo(0.01, within(1e-12));
      assertThat(DUE.benefit(two, share)).isCloseTo(0.02, within(1e-12));
    }
  }

  @Test
  void bytesMoveInRoundsUntilTheBetterOfTwoHasAllButTheMinimum() {
    List<Demand> demands = List.of(random("slow", 30 * GB, 20), random("fast", 30 * GB, 40));
    assertThat(rounds(0, 10 * GB, demands)).containsExactly(5 * GB, 5 * GB);
    assertThat(rounds(1, 10 * GB, demands)).containsExactly(5 * GB - 640 * MB, 5 * GB + 640 * MB);
    assertThat(rounds(20, 10 * GB, demands)).containsExactly(640 * MB, 10 * GB - 640 * MB);
  }

  @Test
  void skewedReadersEndWhereOneMoreByteIsWorthAsMuchToEach() {
    List<Demand> demands = List.of(skewed("a", 60 * GB, 0.5, 10), skewed("b", 60 * GB, 0.5, 20));
    long[] shares = rounds(60, 30 * GB, demands);
    // Slopes are equal where shares are as the squares of the rates.
    assertThat((double) shares[1] / shares[0]).isBetween(3.2, 4.8);
  }

  @Test
  void sequentialReadersKeepTheMinimumOnly() {
    List<Demand> demands = List.of(sequential("s", 50 * GB, 400), random("r", 50 * GB, 1));
    assertThat(rounds(40, 10 * GB, demands)).containsExactly(640 * MB, 10 * GB - 640 * MB);
  }

  @Test
  void whatIsFreeGoesToAllInEqualPartsAsFarAsTheyCanUseIt() {
    List<Demand> demands =
        List.of(random("a", 2 * GB, 1), random("b", 50 * GB, 9), random("c", 50 * GB, 3));
    assertThat(rounds(0, 12 * GB, demands)).containsExactly(2 * GB, 5 * GB, 5 * GB);
    List<Demand> others = demands.subList(1, 3);
    CacheBudget budget = CacheBudget.of(12 * GB);
    assertThat(BETWEEN.divide(others, budget, new long[] {5 * GB, 5 * GB}))
        .as("when one has left")
        .containsExactly(6 * GB, 6 * GB);
  }

  @Test
  void newcomersTakeTheMinimumFromThoseWithTheLowestBenefit() {
    List<Demand> demands =
        List.of(random("a", 50 * GB, 1), random("b", 50 * GB, 9), random("new", 50 * GB, 0.1));
    CacheBudget budget = CacheBudget.of(10 * GB);
    assertThat(BETWEEN.divide(demands, budget, new long[] {3 * GB, 7 * GB, 0}))
        .containsExactly(3 * GB - 640 * MB, 7 * GB, 640 * MB);
  }

  @Test
  void ourBoundLeavesAloneWhatDiffersLittle() {
    List<Demand> demands = List.of(random("a", 30 * GB, 20), random("b", 30 * GB, 23));
    long[] even = {5 * GB, 5 * GB};
    CacheBudget budget = CacheBudget.of(10 * GB);
    assertThat(DUE.divide(demands, budget, even)).isNotEqualTo(even);
    IgtAllocation ours = new IgtAllocation(ShiftRules.PAPER.clearly(1.2), true);
    assertThat(ours.divide(demands, budget, even)).isEqualTo(even);
  }

  @Test
  void pinsQuotasAndTheCapacityHoldInEveryRound() {
    SeededRuns.run(
        40,
        random -> {
          List<Demand> demands = new ArrayList<>();
          int count = 1 + random.nextInt(12);
          for (int i = 0; i < count; i++) {
            demands.add(bound(any("t" + i, random), random));
          }
          long quota = random.nextLong(8 * GB);
          long[] shares = new long[count];
          for (int round = 0; round < 30; round++) {
            long capacity = random.nextLong(30 * GB);
            CacheBudget budget = new CacheBudget(capacity, Map.of("eve", quota));
            shares = DUE.divide(demands, budget, shares);
            long hers = 0;
            for (int i = 0; i < count; i++) {
              assertThat(shares[i]).isBetween(0L, demands.get(i).most());
              hers += demands.get(i).payer().equals("eve") ? shares[i] : 0;
            }
            assertThat(Arrays.stream(shares).sum()).isLessThanOrEqualTo(capacity);
            assertThat(hers).isLessThanOrEqualTo(quota);
          }
        });
  }

  private static Demand bound(Demand demand, Random random) {
    long floor = random.nextInt(6) == 0 ? demand.bytes() / 2 : 0;
    Demand within = demand.within(floor, random.nextInt(4) == 0 ? GB : Long.MAX_VALUE);
    return random.nextBoolean() ? within.paidBy("eve") : within;
  }

  private static Demand any(String name, Random random) {
    long bytes = 1 + random.nextLong(40 * GB);
    double reads = 0.1 + 100 * random.nextDouble();
    return switch (random.nextInt(3)) {
      case 0 -> random(name, bytes, reads);
      case 1 -> sequential(name, bytes, reads);
      default -> skewed(name, bytes, 0.2 + 0.7 * random.nextDouble(), reads);
    };
  }

  @Test
  void bytesByWorthSaveAtLeastAsManyGpus() {
    SeededRuns.run(
        40,
        random -> {
          List<Demand> demands = new ArrayList<>();
          for (int i = 0; i < 2 + random.nextInt(5); i++) {
            demands.add(any("t" + i, random));
          }
          long capacity = 4 * GB + random.nextLong(40 * GB);
          long[] theirs = rounds(100, capacity, demands);
          long[] ours =
              new MarginalAllocation().divide(demands, CacheBudget.of(capacity), new long[0]);
          assertThat(saved(demands, ours)).isGreaterThanOrEqualTo(0.999 * saved(demands, theirs));
        });
  }

  private static double saved(List<Demand> demands, long[] shares) {
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += demands.get(i).gpusSaved(demands.get(i).steps(shares[i]));
    }
    return sum;
  }
}
