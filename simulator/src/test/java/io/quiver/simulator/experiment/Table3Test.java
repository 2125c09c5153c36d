package io.quiver.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quiver.simulator.Simulation;
import io.quiver.simulator.result.SimulationResult;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Table 3: in the long profile all of it, otherwise the first {@value #SHORT} of 7000 mini-batches,
 * which is more than half an epoch of ResNet50; all models in paper mode and one model else.
 */
class Table3Test {
  private static final long SEED = 1;
  private static final boolean LONG = Boolean.getBoolean("quiver.test.long");
  private static final long SHORT = 1400;
  private static final long BATCHES = LONG ? MultiJob.BATCHES : SHORT;

  static Stream<Workload> workloads() {
    return LONG ? Workload.ALL.stream() : Stream.of(Workload.RESNET);
  }

  /** Returns the times of paper mode: nothing is fitted to them, so changed mechanisms show. */
  static Stream<Arguments> paperModes() {
    return LONG
        ? Stream.of(
            Arguments.of(Workload.RESNET, 722),
            Arguments.of(Workload.INCEPTION, 1344),
            Arguments.of(Workload.DEEP_SPEECH, 1233))
        : Stream.of(
            Arguments.of(Workload.RESNET, 152),
            Arguments.of(Workload.INCEPTION, 273),
            Arguments.of(Workload.DEEP_SPEECH, 247));
  }

  private static SimulationResult run(Workload workload, MultiJob.Mode mode) {
    SimulationResult result =
        Simulation.run(MultiJob.scenario(workload, mode, SEED, BATCHES), SEED);
    assertThat(result.violations()).isEmpty();
    assertThat(result.jobs()).hasSize(MultiJob.JOBS).allMatch(job -> job.batches() == BATCHES);
    return result;
  }

  /** Checks only the calibration: both columns are fitted to the paper's. */
  @ParameterizedTest
  @MethodSource("workloads")
  void calibratedMissAndHitTimesAreThePapers(Workload workload) {
    double share = (double) BATCHES / MultiJob.BATCHES;
    double miss = run(workload, MultiJob.Mode.MISS).averageSeconds();
    double hit = run(workload, MultiJob.Mode.HIT).averageSeconds();
    assertThat(miss).isCloseTo(share * workload.paper().missSeconds(), withinPercentage(3));
    assertThat(hit).isCloseTo(share * workload.paper().hitSeconds(), withinPercentage(3));
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void aColdCacheForAFifthIsAsGoodAsAFullOne(Workload workload) {
    SimulationResult coop = run(workload, MultiJob.Mode.COOP);
    double hit = BATCHES * workload.computeMillis() / 1000;
    double most = LONG ? 1.01 : 1.04;
    assertThat(coop.averageSeconds()).isLessThanOrEqualTo(most * hit);
    double bytesOfOneJob = (double) BATCHES * workload.batchBytes();
    assertThat(coop.storeBytes()).as("read for all jobs").isLessThan((long) (1.1 * bytesOfOneJob));
  }

  @ParameterizedTest
  @MethodSource("paperModes")
  void paperModeTakesTheTimeThatTheDocumentsSay(Workload workload, double seconds) {
    SimulationResult paper = run(workload, MultiJob.Mode.COOP_PAPER);
    assertThat(paper.averageSeconds()).isCloseTo(seconds, withinPercentage(2));
  }
}
