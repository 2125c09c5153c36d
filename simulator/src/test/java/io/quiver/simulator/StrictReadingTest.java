package io.quiver.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs whose order is known beforehand: batches come in that order and are read ahead. */
class StrictReadingTest {
  private static final String ONE_JOB =
      """
      name: strict
      planner: {kind: none}
      stores:
        - {name: blob, machine_mb_per_s: 500, latency_ms: 50}
      machines:
        - {name: vm}
      servers:
        - {machine: vm, cache_gb: 0.05}
      datasets:
        - {name: set, store: blob, items: 2000, gb: 0.1}
      loader: {depth: 1}
      jobs:
        - {name: job, machine: vm, dataset: set, batch: 20, compute_ms: 10, epochs: 2, sampler: strict}
      """;

  private static final class Delivered implements Trace {
    private final List<Integer> items = new ArrayList<>();

    @Override
    public void delivered(long now, int job, int epoch, int[] batch, long stallNanos) {
      Arrays.stream(batch).forEach(items::add);
    }
  }

  private static SimulationResult run(String yaml, Trace... watching) {
    SimulationResult result = Simulation.run(Scenario.parse("test", yaml), 7, List.of(watching));
    assertThat(result.violations()).isEmpty();
    return result;
  }

  @Test
  void whatTheOrderNeedsNextIsReadBeforeItIsDrawn() {
    double seconds = run(ONE_JOB).slowestSeconds();
    assertThat(seconds).as("200 batches of 10 ms, not of 50 and more").isBetween(2.0, 3.0);
  }

  @Test
  void readingAheadStaysWithinItsBytes() {
    double seconds = run(ONE_JOB.replace("depth: 1", "depth: 1, ahead_mb: 1")).slowestSeconds();
    assertThat(seconds).as("a batch of 1 MB at a time, 50 ms each").isGreaterThan(10.0);
  }

  /** Half of the items are cached: batches of hits are read long before batches with misses. */
  @Test
  void batchesAreTakenInTheirOrderHoweverTheyAreRead() {
    Delivered alone = new Delivered();
    Delivered cached = new Delivered();
    String small = ONE_JOB.replace("batch: 20, compute_ms: 10", "batch: 2, compute_ms: 1");
    run(small, alone);
    String half = small.replace("kind: none", "kind: lru").replace("depth: 1", "depth: 8");
    SimulationResult result = run(half, cached);
    assertThat(result.jobs().getFirst().items().hits()).isPositive();
    assertThat(cached.items).isEqualTo(alone.items);
  }
}
