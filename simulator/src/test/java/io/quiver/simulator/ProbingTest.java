package io.quiver.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.trace.Trace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Simulated jobs are probed as live ones are, and learn the truth. */
class ProbingTest {
  /**
   * An item takes 1 ms of work, and 2.2 ms from the store: the cache makes jobs 2.22 times as fast.
   */
  private static final String JOBS =
      """
      stores:
        - {name: blob, machine_mb_per_s: 45, latency_ms: 5}
      machines:
        - {name: vm, count: 3}
      servers:
        - {machine: vm, cache_gb: 0.5}
      datasets:
        - {name: set, store: blob, items: 10000, gb: 1}
      jobs:
        - {name: job, count: 3, machine: vm, dataset: set, batch: 50, compute_ms: 50, epochs: 40}
      """;

  private static final double TRUE_BENEFIT = 1e5 / 45e6 / 0.001;

  @Test
  void theMeasuredBenefitIsTheTrueOneAndCostsAHundredth() {
    Map<Integer, JobSpeeds> latest = new HashMap<>();
    Trace watcher =
        new Trace() {
          @Override
          public void measured(long now, int job, JobSpeeds speeds) {
            latest.put(job, speeds);
          }
        };
    Scenario scenario = Scenario.parse("test", JOBS);
    SimulationResult result = Simulation.run(scenario, 3, List.of(watcher));
    assertThat(result.violations()).isEmpty();
    assertThat(latest).hasSize(3);
    List<JobSpeeds> probed =
        latest.values().stream().filter(speeds -> speeds.probed() > 0).toList();
    assertThat(probed).as("they are alike: one is probed for all").hasSize(1);
    for (JobSpeeds speeds : probed) {
      assertThat(speeds.probed()).isLessThanOrEqualTo(speeds.batches() / 100);
      assertThat(speeds.miss().seconds() / speeds.hit().seconds())
          .isCloseTo(TRUE_BENEFIT, withinPercentage(5));
    }
    double work = 40 * 10_000 * 0.001;
    // The first epoch fills the cache.
    assertThat(result.averageSeconds()).isLessThan(1.01 * work + 5);
  }
}
