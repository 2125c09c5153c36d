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

  /** One in the normal run, which is to be short. */
  static Stream<Workload> someWorkloads() {
    return Boolean.getBoolean("quiver.test.long")
        ? Workload.ALL.stream()
        : Stream.of(Workload.RESNET);
  }

  private static SimulationResult run(Scenario scenario) {
    SimulationResult result = Simulation.run(scenario, SEED);
    assertThat(result.violations()).isEmpty();
    assertThat(result.jobs()).hasSize(Table3.JOBS).allMatch(job -> job.batches() == Table3.BATCHES);
    return result;
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void missAndHitTimesAreThePapers(Workload workload) {
    double miss = run(Table3.miss(workload, SEED)).averageSeconds();
    double hit = run(Table3.hit(workload, SEED)).averageSeconds();
    assertThat(miss).isCloseTo(workload.paper().missSeconds(), withinPercentage(3));
    assertThat(hit).isCloseTo(workload.paper().hitSeconds(), withinPercentage(3));
  }

  @ParameterizedTest
  @MethodSource("someWorkloads")
  void aColdCacheWithRoomForAFifthIsAsGoodAsAFullOne(Workload workload) {
    SimulationResult coop = run(Table3.coop(workload, SEED));
    double hit = Table3.BATCHES * workload.computeMillis() / 1000;
    assertThat(coop.slowestSeconds()).isLessThanOrEqualTo(1.05 * hit);
    double epochs = (double) Table3.BATCHES * workload.batchBytes() / workload.datasetBytes();
    assertThat(coop.storeBytes() / (epochs * workload.datasetBytes())).isLessThan(1.1);
  }
}
