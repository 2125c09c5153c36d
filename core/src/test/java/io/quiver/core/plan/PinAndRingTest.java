package io.quiver.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The claims of pin + ring, in virtual time: what all jobs together read from the store, and how
 * much slower they are than with everything cached. The store hands out an item in 5/9 of the time
 * a job works on one.
 */
final class PinAndRingTest {
  private static final int ITEMS = 10_000;
  private static final int EPOCHS = 4;
  private static final int BATCH = 64;
  private static final double ITEM_SECONDS = 0.001;
  private static final double STORE_RATE = 1.8 / ITEM_SECONDS;
  private static final double SLOW_STORE_RATE = 1.14 / ITEM_SECONDS;
  private static final double PLAN_DELAY = 0.03;

  private static RingSimulation simulation(double fraction) {
    return new RingSimulation(ITEMS, fraction, STORE_RATE, PLAN_DELAY, EPOCHS);
  }

  private static double window(RingSimulation done) {
    return (double) PlannerConfig.DEFAULT.chunks().window() / done.chunks();
  }

  /** Reads of the middle epochs of the fastest job: the first fills the cache. */
  private static double steadyReads(RingSimulation done) {
    return (done.readsUntilEpoch(EPOCHS - 1) - done.readsUntilEpoch(1))
        / (double) (ITEMS * (EPOCHS - 2));
  }

  @ParameterizedTest
  @CsvSource({
    "0.2, 4, 0",
    "0.2, 7, 0",
    "0.2, 4, 0.37",
    "0.2, 7, 0.37",
    "0.5, 4, 0",
    "0.5, 7, 0.37"
  })
  void jobsOfOneSpeedReadWhatIsNotPinnedOnceForAllOfThem(
      double fraction, int jobs, double stagger) {
    RingSimulation simulation = simulation(fraction);
    for (int job = 0; job < jobs; job++) {
      simulation.join("job-" + job, ITEM_SECONDS, BATCH, job * stagger * 10, 7 + job);
    }
    simulation.run();
    double window = window(simulation);
    assertThat(steadyReads(simulation)).isLessThanOrEqualTo(1.05 * (1 - fraction + window));
    assertThat(simulation.mostRotating()).isEqualTo(PlannerConfig.DEFAULT.chunks().window());
    for (int job = 0; job < jobs; job++) {
      double slowdown = simulation.seconds("job-" + job) / (EPOCHS * ITEMS * ITEM_SECONDS);
      assertThat(slowdown).as("job %d", job).isLessThanOrEqualTo(1.10);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.2, 0", "0.2, 0.37", "0.5, 0"})
  void slowerJobsRideAlongWithoutHoldingTheFastestUp(double fraction, double stagger) {
    double[] speeds = {1, 1.3, 2, 3};
    RingSimulation simulation = simulation(fraction);
    for (int job = 0; job < speeds.length; job++) {
      double seconds = ITEM_SECONDS * speeds[job];
      simulation.join("job-" + job, seconds, BATCH, job * stagger * 10, 7 + job);
    }
    simulation.run();
    double window = window(simulation);
    assertThat(steadyReads(simulation)).isLessThanOrEqualTo(1.15 * (1 - fraction + window));
    for (int job = 0; job < speeds.length; job++) {
      double slowdown =
          simulation.seconds("job-" + job) / (EPOCHS * ITEMS * ITEM_SECONDS * speeds[job]);
      assertThat(slowdown).as("job %d", job).isLessThanOrEqualTo(job == 0 ? 1.05 : 1.10);
    }
  }

  /** Without a common next chunk, jobs in different places of their epochs starved each other. */
  @ParameterizedTest
  @CsvSource({"0.2, 0", "0.2, 0.37", "0.5, 0.37"})
  void aStoreHardlyFasterThanOneJobIsEnoughForAll(double fraction, double stagger) {
    RingSimulation simulation =
        new RingSimulation(ITEMS, fraction, SLOW_STORE_RATE, PLAN_DELAY, EPOCHS);
    for (int job = 0; job < 4; job++) {
      simulation.join("job-" + job, ITEM_SECONDS, BATCH, job * stagger * 10, 7 + job);
    }
    simulation.run();
    assertThat(steadyReads(simulation))
        .isLessThanOrEqualTo(1.05 * (1 - fraction + window(simulation)));
    for (int job = 0; job < 4; job++) {
      double slowdown = simulation.seconds("job-" + job) / (EPOCHS * ITEMS * ITEM_SECONDS);
      assertThat(slowdown).as("job %d", job).isLessThanOrEqualTo(1.10);
    }
  }

  @Test
  void thePapersTwoChunksRotateWithNothingPinned() {
    PlannerConfig paper = PlannerConfig.PAPER;
    RingSimulation simulation =
        new RingSimulation(paper, ITEMS, 0.2, STORE_RATE, PLAN_DELAY, EPOCHS);
    for (int job = 0; job < 4; job++) {
      simulation.join("job-" + job, ITEM_SECONDS, BATCH, 0, 7 + job);
    }
    simulation.run();
    assertThat(simulation.chunks()).isEqualTo(10);
    assertThat(simulation.mostRotating()).isEqualTo(2);
    assertThat(steadyReads(simulation)).isBetween(0.95, 1.05);
  }

  @Test
  void oneJobAloneHitsWhatIsPinned() {
    RingSimulation simulation = simulation(0.5);
    simulation.join("alone", ITEM_SECONDS, BATCH, 0, 3);
    simulation.run();
    assertThat(simulation.mostRotating()).isZero();
    assertThat(1 - steadyReads(simulation)).isGreaterThanOrEqualTo(0.98 * 0.5);
  }

  @Test
  void aJobThatDiesDoesNotHoldTheOthersUp() {
    RingSimulation simulation = simulation(0.2);
    for (int job = 0; job < 4; job++) {
      simulation.join("job-" + job, ITEM_SECONDS, BATCH, 0, job);
    }
    simulation.kill("job-2", 14.3);
    simulation.run();
    for (String job : new String[] {"job-0", "job-1", "job-3"}) {
      double slowdown = simulation.seconds(job) / (EPOCHS * ITEMS * ITEM_SECONDS);
      assertThat(slowdown).as(job).isLessThanOrEqualTo(1.15);
    }
  }

  @Test
  void anotherManagerGoesOnWhereTheFirstEnded() {
    RingSimulation simulation = simulation(0.2);
    for (int job = 0; job < 4; job++) {
      simulation.join("job-" + job, ITEM_SECONDS, BATCH, 0, job);
    }
    simulation.restartManager(15, 0.4);
    simulation.restartManager(27, 2);
    simulation.run();
    double window = window(simulation);
    assertThat(steadyReads(simulation)).isLessThanOrEqualTo(1.15 * (1 - 0.2 + window));
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
      RingSimulation simulation =
          new RingSimulation(items, fraction, rate, 0.001 + random.nextDouble() / 10, 2);
      int jobs = 1 + random.nextInt(5);
      for (int job = 0; job < jobs; job++) {
        double seconds = ITEM_SECONDS * (1 + 2 * random.nextDouble());
        double start = random.nextDouble() * items * ITEM_SECONDS;
        simulation.join("job-" + job, seconds, 1 + random.nextInt(40), start, random.nextLong());
      }
      if (jobs > 1 && random.nextBoolean()) {
        simulation.kill("job-0", random.nextDouble() * items * ITEM_SECONDS);
      }
      if (random.nextBoolean()) {
        simulation.restartManager(random.nextDouble() * items * ITEM_SECONDS, random.nextDouble());
      }
      try {
        simulation.run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
  }
}
