package io.quiver.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.trace.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks distributed jobs, whose processes share each epoch and are one job to the manager. */
class ProcessesTest {
  private static final int ITEMS = 10_000;

  private static String yaml(int jobs, int processes, String sampler, boolean aggregate) {
    return """
    stores:
      - {name: blob, machine_mb_per_s: 45, latency_ms: 5}
    machines:
      - {name: vm, count: 4}
    servers:
      - {machine: vm, cache_gb: 0.125}
    datasets:
      - {name: set, store: blob, items: 10000, gb: 1, aggregate: %s}
    jobs:
      - {name: job, count: %d, processes: %d, machine: vm, dataset: set, batch: 50,
         compute_ms: 200, epochs: 4, sampler: %s}
    """
        .formatted(aggregate, jobs, processes, sampler);
  }

  /** Notes the most chunks that rotate. */
  private static final class Rotating implements Trace {
    private long most;

    @Override
    public void planned(long now, Plan plan) {
      for (DatasetPlan each : plan.datasets()) {
        most =
            Math.max(
                most,
                each.held().stream().filter(held -> held.role() == ChunkRole.ROTATING).count());
      }
    }
  }

  private static SimulationResult run(String yaml, Trace... watchers) {
    SimulationResult result = Simulation.run(Scenario.parse("test", yaml), 7, List.of(watchers));
    assertThat(result.violations()).isEmpty();
    return result;
  }

  private static double readsPerItem(SimulationResult result) {
    return result.jobs().stream().mapToLong(job -> job.items().fromStore()).sum() / (double) ITEMS;
  }

  @ParameterizedTest
  @CsvSource({"substitute, false", "paper, false", "strict, false", "substitute, true"})
  void allProcessesTogetherGetEveryItemOnce(String sampler, boolean aggregate) {
    SimulationResult result = run(yaml(2, 2, sampler, aggregate));
    assertThat(result.jobs())
        .extracting(job -> job.name())
        .containsExactly("job-0.r0", "job-0.r1", "job-1.r0", "job-1.r1");
    assertThat(result.jobs().stream().mapToLong(job -> job.items().delivered()).sum())
        .isEqualTo(2L * 4 * ITEMS);
  }

  /** One job gains nothing from a ring, however many processes it has: pinning alone is best. */
  @Test
  void theProcessesOfOneJobPinAndShareNoRing() {
    Rotating rotating = new Rotating();
    SimulationResult result = run(yaml(1, 4, "substitute", false), rotating);
    assertThat(rotating.most).isZero();
    assertThat(readsPerItem(result)).isBetween(1 + 3 * 0.5, 1 + 3 * 0.65);
    Rotating jobs = new Rotating();
    run(yaml(4, 1, "substitute", false), jobs);
    assertThat(jobs.most).as("four jobs").isPositive();
  }

  @Test
  void aKilledJobLosesAllItsProcesses() {
    String killed = yaml(2, 2, "substitute", false) + "events:\n  - {at_s: 30, kill_job: job-1}\n";
    SimulationResult result = run(killed);
    assertThat(result.jobs().stream().filter(SimulationResult.JobResult::killed)).hasSize(2);
  }
}
