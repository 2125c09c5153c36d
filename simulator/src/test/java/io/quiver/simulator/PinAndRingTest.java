package io.quiver.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.plan.chunk.ChunkRules;
import io.quiver.manager.ManagerConfig;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks the claims of pin + ring in virtual time: the reads of all jobs together from the store,
 * and the time they take compared with everything cached. The store gives an item in 5/9 of the
 * time a job works on one, to all jobs together.
 */
class PinAndRingTest {
  private static final int ITEMS = 10_000;
  private static final int EPOCHS = 4;
  private static final int BATCH = 64;
  private static final double ITEM_SECONDS = 0.001;
  private static final double STORE_RATE = 1.8 / ITEM_SECONDS;
  private static final double SLOW_STORE_RATE = 1.14 / ITEM_SECONDS;
  private static final double STAGGER_SECONDS = 10;
  private static final long SEED = 7;

  private static RingCluster cluster(double fraction) {
    return new RingCluster(ITEMS, fraction, STORE_RATE, EPOCHS);
  }

  private static RingCluster withJobs(RingCluster cluster, int jobs, double stagger) {
    for (int job = 0; job < jobs; job++) {
      cluster.job(ITEM_SECONDS, BATCH, job * stagger * STAGGER_SECONDS);
    }
    return cluster;
  }

  /**
   * Returns 1 − c + w, the least that jobs of one speed read for a window of this size, where c is
   * what fits in whole chunks.
   */
  private static double leastReads(double fraction, RingCluster done) {
    double held = (double) done.mostHeld() / done.chunks();
    assertThat(held).isGreaterThan(0.97 * fraction - 1.0 / done.chunks());
    return 1 - held + (double) ChunkRules.DEFAULT.window() / done.chunks();
  }

  @ParameterizedTest
  @CsvSource({
    "0.2, 4, 0",
    "0.2, 7, 0",
    "0.2, 4, 0.37",
    "0.2, 7, 0.37",
    "0.5, 4, 0",
    "0.5, 7, 0.37",
    "0.9, 7, 0",
    // Exactly 15 and 7 of 31 chunks of which some have an item more: those must not be planned.
    "0.4838709678, 4, 0.37",
    "0.2258064517, 7, 0"
  })
  void jobsOfOneSpeedReadWhatIsNotPinnedOnceForAllOfThem(
      double fraction, int jobs, double stagger) {
    RingCluster done = withJobs(cluster(fraction), jobs, stagger).run(SEED);
    assertThat(done.steadyReads()).isLessThanOrEqualTo(1.05 * leastReads(fraction, done));
    assertThat(done.mostRotating()).isEqualTo(ChunkRules.DEFAULT.window());
    for (int job = 0; job < jobs; job++) {
      assertThat(done.slowdown(job, ITEM_SECONDS)).as("job %d", job).isLessThanOrEqualTo(1.08);
    }
  }

  /** The first row of each share in the table that pin + ring was chosen by. */
  @ParameterizedTest
  @CsvSource({"0.2, 5.78, 3.2", "0.5, 3.83, 2.1", "0.9, 0.93, 1.0"})
  void aPlainSharedCacheReadsSeveralTimesAsMuch(double fraction, double reads, double slowdown) {
    RingCluster done = withJobs(cluster(fraction).planner("kind: lru"), 7, 0).run(SEED);
    assertThat(done.steadyReads()).isCloseTo(reads, within(0.1));
    assertThat(done.slowdown(0, ITEM_SECONDS)).isCloseTo(slowdown, within(0.1));
  }

  /** Jobs that fall behind read some items again: up to a fifth more when all start together. */
  @ParameterizedTest
  @CsvSource({"0.2, 0", "0.2, 0.37", "0.5, 0"})
  void slowerJobsRideAlongWithoutHoldingTheFastestUp(double fraction, double stagger) {
    double[] speeds = {1, 1.3, 2, 3};
    RingCluster cluster = cluster(fraction);
    for (int job = 0; job < speeds.length; job++) {
      cluster.job(ITEM_SECONDS * speeds[job], BATCH, job * stagger * STAGGER_SECONDS);
    }
    RingCluster done = cluster.run(SEED);
    assertThat(done.steadyReads()).isLessThanOrEqualTo(1.2 * leastReads(fraction, done));
    for (int job = 0; job < speeds.length; job++) {
      assertThat(done.slowdown(job, ITEM_SECONDS * speeds[job]))
          .as("job %d", job)
          .isLessThanOrEqualTo(1.03);
    }
  }

  /** Without a common next chunk, jobs in different places of their epochs starved each other. */
  @ParameterizedTest
  @CsvSource({"0.2, 0", "0.2, 0.37", "0.5, 0.37"})
  void aStoreHardlyFasterThanOneJobIsEnoughForAll(double fraction, double stagger) {
    RingCluster cluster = new RingCluster(ITEMS, fraction, SLOW_STORE_RATE, EPOCHS);
    RingCluster done = withJobs(cluster, 4, stagger).run(SEED);
    assertThat(done.steadyReads()).isLessThanOrEqualTo(1.05 * leastReads(fraction, done));
    for (int job = 0; job < 4; job++) {
      assertThat(done.slowdown(job, ITEM_SECONDS)).as("job %d", job).isLessThanOrEqualTo(1.10);
    }
  }

  @Test
  void thePapersTwoChunksRotateWithNothingPinned() {
    RingCluster cluster = cluster(0.21).planner("window: 2, least_pinned: 0, max_chunks: 10");
    RingCluster done = withJobs(cluster, 4, 0).run(SEED);
    assertThat(done.chunks()).isEqualTo(10);
    assertThat(done.mostRotating()).isEqualTo(2);
    assertThat(done.steadyReads()).isBetween(0.95, 1.05);
  }

  @Test
  void oneJobAloneHitsWhatIsPinned() {
    RingCluster done = withJobs(cluster(0.5), 1, 0).run(3);
    assertThat(done.mostRotating()).isZero();
    int whole = done.chunks() / 2;
    double pinned = (double) whole / done.chunks();
    assertThat(1 - done.steadyReads()).isGreaterThanOrEqualTo(0.98 * pinned);
  }

  @Test
  void aJobThatDiesDoesNotHoldTheOthersUp() {
    RingCluster done = withJobs(cluster(0.2), 4, 0).killJob(2, 14.3).run(SEED);
    for (int job : new int[] {0, 1, 3}) {
      assertThat(done.slowdown(job, ITEM_SECONDS)).as("job %d", job).isLessThanOrEqualTo(1.15);
    }
  }

  /**
   * Without plans the ring stands still, and jobs read from the store what it does not bring: at
   * most as much as the store gives. Nothing that was cached is lost.
   */
  @Test
  void anotherManagerGoesOnWhereTheFirstEnded() {
    double down = 0.4 + 1;
    RingCluster cluster = withJobs(cluster(0.2), 4, 0);
    RingCluster done = cluster.restartManager(12, 0.4).restartManager(16, 1).run(SEED);
    double silent = down + 2 * ManagerConfig.DEFAULT.grace().toSeconds();
    double least = leastReads(0.2, done);
    assertThat(done.reads(1)).isLessThanOrEqualTo(1.05 * least + silent * STORE_RATE / ITEMS);
    assertThat(done.reads(2)).isLessThanOrEqualTo(1.05 * least);
  }

  @Test
  void whateverHappensEveryEpochIsDeliveredOnce() {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    Random random = new Random(seed);
    int rounds = Boolean.getBoolean("quiver.test.long") ? 200 : 12;
    for (int round = 0; round < rounds; round++) {
      int items = 200 + random.nextInt(2000);
      double fraction = 0.05 + 0.9 * random.nextDouble();
      double rate = (0.2 + 3 * random.nextDouble()) / ITEM_SECONDS;
      RingCluster cluster = new RingCluster(items, fraction, rate, 2);
      cluster.planDelay(0.001 + random.nextDouble() / 10);
      int jobs = 1 + random.nextInt(5);
      for (int job = 0; job < jobs; job++) {
        double seconds = ITEM_SECONDS * (1 + 2 * random.nextDouble());
        double start = random.nextDouble() * items * ITEM_SECONDS;
        cluster.job(seconds, 1 + random.nextInt(40), start);
      }
      if (jobs > 1 && random.nextBoolean()) {
        cluster.killJob(0, random.nextDouble() * items * ITEM_SECONDS);
      }
      if (random.nextBoolean()) {
        cluster.restartManager(random.nextDouble() * items * ITEM_SECONDS, random.nextDouble());
      }
      try {
        cluster.run(random.nextLong());
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
  }
}
