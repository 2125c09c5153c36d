package io.quiver.core.plan;

import static io.quiver.core.plan.Cluster.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.testkit.SeededRuns;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the division of the capacity among several data sets. */
final class PlannersTest {
  private static final long SIZE = 15_000_000;
  private static final long CHUNK = SIZE / 150;

  private static Cluster marginal(double rooms) {
    return new Cluster(PlannerKind.MARGINAL, Math.round(rooms * SIZE));
  }

  @Test
  void dataSetsThatWereNotMeasuredShareEqually() {
    Cluster cluster = marginal(1).job("a", 1, SIZE).job("b", 2, SIZE).settle();
    assertThat(cluster.held(1)).isEqualTo(SIZE / 2);
    assertThat(cluster.held(2)).isEqualTo(SIZE / 2);
  }

  @Test
  void everythingThatFitsIsOnItsWayFromTheFirstPlanOn() {
    Cluster cluster = marginal(2.5).job("a", 1, SIZE, 8);
    cluster.step();
    assertThat(cluster.held(1)).as("the first plan").isEqualTo(SIZE);
    cluster.settle().job("b", 2, SIZE).step();
    assertThat(cluster.held(2)).as("a new data set beside it").isEqualTo(SIZE);
    cluster.settle().job("c", 3, SIZE).step();
    assertThat(cluster.held(1) + cluster.held(2) + cluster.held(3))
        .as("nothing is left empty")
        .isCloseTo(SIZE * 5 / 2, within(3 * CHUNK));
  }

  @Test
  void roomGoesWhereItSavesMostAndTheRestIsNotLeftEmpty() {
    Cluster cluster = marginal(1).job("a", 1, SIZE, 1.5).job("b", 2, SIZE, 8).settle();
    assertThat(cluster.held(2)).as("worth pinning up to 7/8").isGreaterThan(SIZE * 85 / 100);
    assertThat(cluster.held(1)).as("what is left").isCloseTo(SIZE - cluster.held(2), within(CHUNK));
  }

  @Test
  void jobsThatGainNothingTakeNoRoomThatOthersCouldUse() {
    Cluster cluster = marginal(1).job("a", 1, SIZE, 1.04).job("b", 2, SIZE, 2).settle();
    assertThat(cluster.held(1)).isZero();
    assertThat(cluster.held(2)).isEqualTo(SIZE);
  }

  @Test
  void jobsThatGainNothingHaveWhatNobodyElseCanUse() {
    Cluster cluster = marginal(1.5).job("a", 1, SIZE, 1.04).job("b", 2, SIZE, 2).settle();
    assertThat(cluster.held(1)).isCloseTo(SIZE / 2, within(CHUNK));
    assertThat(cluster.held(2)).isEqualTo(SIZE);
    cluster.job("c", 3, SIZE, 3).settle();
    assertThat(cluster.held(1)).as("somebody gains from it").isZero();
  }

  @Test
  void thePapersPlannerLeavesJobsThatGainNothingWithoutRoom() {
    Cluster cluster = new Cluster(PlannerKind.GREEDY3, 5 * SIZE).job("a", 1, SIZE, 1.04).settle();
    assertThat(cluster.held(1)).isZero();
  }

  @Test
  void aNewJobIsGivenATrialAndTakesLittleFromOthers() {
    Cluster cluster = marginal(0.5).job("a", 1, SIZE, 8).settle();
    assertThat(cluster.held(1)).isEqualTo(SIZE / 2);
    cluster.job("new-1", 2, SIZE).job("new-2", 2, SIZE).settle();
    assertThat(cluster.held(2)).isEqualTo(3 * CHUNK);
    assertThat(cluster.held(1)).isEqualTo(SIZE / 2 - 3 * CHUNK);
    cluster.job("new-1", 2, SIZE, 20).job("new-2", 2, SIZE, 20).settle();
    assertThat(cluster.held(2)).as("measured").isGreaterThan(3 * CHUNK);
  }

  @Test
  void aDataSetWithAJobNotYetMeasuredIsNotGivenUp() {
    Cluster cluster = marginal(1).job("idle", 1, SIZE, 1.0).job("b", 2, SIZE, 2).settle();
    assertThat(cluster.held(1)).isZero();
    cluster.job("alike", 1, SIZE).settle();
    assertThat(cluster.held(1)).as("known by the first").isZero();
    cluster.fastJob("new", 1, SIZE).settle();
    assertThat(cluster.held(1)).isPositive();
  }

  @ParameterizedTest
  @EnumSource(
      value = PlannerKind.class,
      names = {"MARGINAL", "GREEDY3", "IGT"})
  void noisySpeedsMoveNothing(PlannerKind kind) {
    SeededRuns.run(
        8,
        random -> {
          Cluster cluster = new Cluster(kind, 2 * SIZE);
          double[] benefits = new double[6];
          for (int i = 0; i < benefits.length; i++) {
            benefits[i] = 1.04 + (i == 0 ? 0.02 : 5 * random.nextDouble());
            cluster.job("job-" + i, i / 2, SIZE, benefits[i]);
          }
          cluster.settle();
          int moves = 0;
          long[] before = cluster.shares(3);
          for (int round = 0; round < 200; round++) {
            for (int i = 0; i < benefits.length; i++) {
              double noise = 1 + 0.02 * random.nextGaussian();
              cluster.job("job-" + i, i / 2, SIZE, benefits[i] * noise);
            }
            cluster.step();
            moves += Arrays.equals(before, cluster.shares(3)) ? 0 : 1;
            before = cluster.shares(3);
          }
          assertThat(moves).isLessThanOrEqualTo(3);
        });
  }

  @Test
  void theDivisionIntoChunksStaysWhileAnyIsHeld() {
    Cluster cluster = marginal(1).job("a", 1, SIZE).settle();
    int chunks = Objects.requireNonNull(cluster.dataset(1)).chunks();
    for (int i = 2; i < 40; i++) {
      cluster.job("job-" + i, i, 100 * SIZE);
    }
    cluster.settle();
    DatasetPlan later = Objects.requireNonNull(cluster.dataset(1));
    assertThat(later.held()).isNotEmpty();
    assertThat(later.chunks()).isEqualTo(chunks);
  }

  @Test
  void theSharesOfAPolicyAreWholeChunksOfTheDivisionItDecidedAbout() {
    Cluster cluster = new Cluster(PlannerKind.GREEDY3, SIZE / 2);
    for (int i = 0; i < 4; i++) {
      cluster.job("a" + i, 1, SIZE, 4).job("b" + i, 2, SIZE, 3);
    }
    cluster.settle();
    for (int i = 1; i <= 2; i++) {
      DatasetPlan plan = Objects.requireNonNull(cluster.dataset(i));
      assertThat(plan.chunks()).isEqualTo(10);
      assertThat(plan.held()).as("two of ten, neither more nor less").hasSize(2);
      assertThat(plan.held()).allMatch(each -> each.role() == ChunkRole.ROTATING);
    }
  }

  @Test
  void thePapersPlannerHoldsAllTwoChunksOrNothing() {
    SeededRuns.run(
        100,
        random -> {
          Cluster cluster = new Cluster(PlannerKind.GREEDY3, (1 + random.nextInt(30)) * SIZE / 10);
          for (int i = 0; i < 8; i++) {
            int dataset = random.nextInt(4);
            if (random.nextBoolean()) {
              cluster.job("job-" + i, dataset, SIZE);
            } else {
              cluster.job("job-" + i, dataset, SIZE, 1 + 4 * random.nextDouble());
            }
          }
          cluster.settle();
          for (int i = 0; i < 4; i++) {
            DatasetPlan plan = cluster.dataset(i);
            if (plan != null) {
              assertThat(plan.held().size()).isIn(0, 2, plan.chunks());
            }
          }
        });
  }

  @Test
  void bytesMoveInRoundsUnderThePolicyOfIgt() {
    long gigabyte = 1_000_000_000;
    Cluster cluster = new Cluster(PlannerKind.IGT, 40 * gigabyte);
    cluster.job("slow", 1, 60 * gigabyte, 2).job("fast", 2, 30 * gigabyte, 2);
    cluster.step();
    assertThat(cluster.shares(3)[1]).as("before the first round").isEqualTo(20 * gigabyte);
    for (int round = 1; round <= 3; round++) {
      for (int step = 0; step < 600; step++) { // a minute
        cluster.step();
      }
      assertThat(cluster.shares(3))
          .as("round %d", round)
          .containsExactly(
              0, 20 * gigabyte - round * 640_000_000L, 20 * gigabyte + round * 640_000_000L);
    }
    cluster.leave("slow").step();
    assertThat(cluster.shares(3)[2]).as("alone, at once").isEqualTo(30 * gigabyte);
  }

  @Test
  void thePlainCacheIsOneSpaceForAllJobsAndServers() {
    Cluster lru = new Cluster(PlannerKind.LRU, SIZE).job("a", 1, SIZE).settle();
    JobPlan plan = lru.plan().forJob("a", key(1));
    assertThat(plan.shared()).isEqualTo(Plan.SHARED_SPACE);
    assertThat(plan.dataset()).isNull();
    assertThat(plan.members()).hasSize(1);
    assertThat(lru.plan().forServers().spaces())
        .singleElement()
        .satisfies(order -> {
          assertThat(order.name()).isEqualTo(Plan.SHARED_SPACE);
          assertThat(order.keeper()).isEqualTo(KeeperKind.RECENT);
          assertThat(order.quotaBytes()).isPositive().isLessThanOrEqualTo(SIZE);
        });
  }

  @Test
  void withoutAPlannerNothingIsHeld() {
    Cluster none = new Cluster(PlannerKind.NONE, SIZE).job("a", 1, SIZE).settle();
    JobPlan plan = none.plan().forJob("a", key(1));
    assertThat(plan.shared()).isNull();
    assertThat(plan.dataset()).isNull();
    assertThat(none.plan().forServers().spaces()).isEmpty();
  }

  @Test
  void whatIsPinnedByHandComesFirstAndStaysWhenNobodyReadsIt() {
    Cluster cluster = marginal(1.5).job("a", 1, SIZE, 1.0).job("b", 2, SIZE, 8);
    cluster.preference(CachePreferences.NONE.with(key(1), CachePreference.PIN)).settle();
    assertThat(cluster.held(1)).isEqualTo(SIZE);
    assertThat(cluster.held(2)).isEqualTo(SIZE / 2);
    cluster.leave("a").settle();
    assertThat(cluster.held(1)).as("idle").isEqualTo(SIZE);
    cluster.preference(CachePreferences.NONE).settle();
    assertThat(cluster.held(2)).as("unpinned").isEqualTo(SIZE);
  }

  @Test
  void whatIsNeverToBeCachedGoes() {
    Cluster cluster = marginal(2).job("a", 1, SIZE).job("b", 2, SIZE).settle();
    assertThat(cluster.held(1)).isEqualTo(SIZE);
    cluster.preference(CachePreferences.NONE.with(key(1), CachePreference.NEVER)).settle();
    assertThat(cluster.held(1)).isZero();
    cluster
        .leave("b")
        .preference(CachePreferences.NONE.with(key(2), CachePreference.NEVER))
        .settle();
    assertThat(cluster.held(2)).as("idle").isZero();
  }

  @Test
  void chunksAreSmallEnoughToRotateWithinAQuota() {
    CachePreferences quotas =
        CachePreferences.NONE.withQuota(key(1), SIZE / 100).withUserQuota("ann", SIZE / 100);
    Cluster cluster = marginal(5).preference(quotas).job("a", 1, SIZE).job("b", 1, SIZE);
    cluster.job("c", 2, SIZE, "ann").job("d", 2, SIZE, "ann").settle();
    for (int dataset = 1; dataset <= 2; dataset++) {
      DatasetPlan held = Objects.requireNonNull(cluster.dataset(dataset));
      assertThat(held.ring()).as("ring of data set %d", dataset).isTrue();
      assertThat(held.chunks()).as("data set %d", dataset).isEqualTo(400);
      assertThat(held.held()).as("data set %d", dataset).hasSize(4);
    }
  }

  @Test
  void quotasOfDataSetsAndUsersBind() {
    SeededRuns.run(
        50,
        random -> {
          Cluster cluster = marginal(1 + random.nextInt(4));
          for (int i = 0; i < 6; i++) {
            if (random.nextBoolean()) {
              cluster.job("job-" + i, i, SIZE, "alice");
            } else {
              cluster.job("job-" + i, i, SIZE, 1 + 4 * random.nextDouble());
            }
          }
          cluster.job("bob", 6, SIZE, "bob").job("with-bob", 6, SIZE, "alice");
          long alice = random.nextLong(2 * SIZE);
          long bob = alice + 1 + random.nextLong(SIZE);
          cluster.preference(
              CachePreferences.NONE
                  .withUserQuota("alice", alice)
                  .withUserQuota("bob", bob)
                  .withQuota(key(0), SIZE / 3));
          cluster.settle();
          assertThat(cluster.held(0)).isLessThanOrEqualTo(SIZE / 3);
          assertThat(cluster.held(6)).isLessThanOrEqualTo(bob);
          long hers = 0;
          for (int i = 0; i < 6; i++) {
            hers += cluster.isOf("alice", i) ? cluster.held(i) : 0;
          }
          assertThat(hers).isLessThanOrEqualTo(alice);
        });
  }
}
