package io.quiver.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quiver.simulator.Simulation;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class Table3Test {
  private static final long SEED = 1;

  static Stream<Workload> workloads() {
    return Workload.ALL.stream();
  }

  /** Returns one in the normal run, which is to be short. */
  static Stream<Workload> someWorkloads() {
    return Boolean.getBoolean("quiver.test.long")
        ? Workload.ALL.stream()
        : Stream.of(Workload.RESNET);
  }

  private static SimulationResult run(Scenario scenario) {
    SimulationResult result = Simulation.run(scenario, SEED);
    assertThat(result.violations()).isEmpty();
    assertThat(result.jobs())
        .hasSize(MultiJob.JOBS)
        .allMatch(job -> job.batches() == MultiJob.BATCHES);
    return result;
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void missAndHitTimesAreThePapers(Workload workload) {
    double miss = run(MultiJob.scenario(workload, MultiJob.Mode.MISS, SEED)).averageSeconds();
    double hit = run(MultiJob.scenario(workload, MultiJob.Mode.HIT, SEED)).averageSeconds();
    assertThat(miss).isCloseTo(workload.paper().missSeconds(), withinPercentage(3));
    assertThat(hit).isCloseTo(workload.paper().hitSeconds(), withinPercentage(3));
  }

  @ParameterizedTest
  @MethodSource("someWorkloads")
  void aColdCacheWithRoomForAFifthIsAsGoodAsAFullOne(Workload workload) {
    SimulationResult coop = run(MultiJob.scenario(workload, MultiJob.Mode.COOP, SEED));
    double hit = MultiJob.BATCHES * workload.computeMillis() / 1000;
    assertThat(coop.slowestSeconds()).isLessThanOrEqualTo(1.05 * hit);
    assertThat(MultiJob.readsPerEpoch(workload, coop.storeBytes())).isLessThan(1.0);
  }
}
