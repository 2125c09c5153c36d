package io.quiver.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job's CPUs work on batches between reading and the GPUs. */
class TransformTest {
  private static final String JOB =
      """
      name: transforming
      everything_cached: true
      stores:
        - {name: blob, machine_mb_per_s: 500}
      machines:
        - {name: vm}
      servers:
        - {machine: vm, cache_gb: 0.2}
      datasets:
        - {name: set, store: blob, items: 2000, gb: 0.1}
      loader: {depth: 8}
      jobs:
        - {name: job, machine: vm, dataset: set, batch: 20, compute_ms: 10, epochs: 2 STAGE}
      """;

  /** 200 batches; the slowest stage decides, of which the CPUs are if few work at a time. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "''; 2.0",
        "', transform_ms: 0'; 2.0",
        "', transform_ms: 5'; 2.0",
        "', transform_ms: 40'; 8.0",
        "', transform_ms: 40, transform_workers: 2'; 4.0",
        "', transform_ms: 40, transform_workers: 6'; 2.0"
      })
  void theSlowestStageDecides(String stage, double seconds) {
    Scenario scenario = Scenario.parse("test", JOB.replace(" STAGE", stage));
    SimulationResult result = Simulation.run(scenario, 7, List.of());
    assertThat(result.violations()).isEmpty();
    assertThat(result.slowestSeconds()).isBetween(seconds, 1.1 * seconds);
  }
}
