package io.quiver.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the first epoch fills the cache: what jobs read is kept and read only once. */
class FirstEpochTest {
  private static final int ITEMS = 10_000;
  private static final double GIGABYTES = 0.2;

  /**
   * The store's rate and the time of a batch: the store sets the pace, the job does, nobody waits.
   */
  enum Speed {
    SLOW_STORE(16, 5),
    SLOW_JOB(64, 50),
    FAST_STORE(2000, 5);

    private final int storeMegabytes;
    private final int computeMillis;

    Speed(int storeMegabytes, int computeMillis) {
      this.storeMegabytes = storeMegabytes;
      this.computeMillis = computeMillis;
    }
  }

  /**
   * One run of the matrix.
   *
   * @param cached the capacity of the cache, in sizes of the data set
   */
  record Case(int servers, int jobs, Speed speed, double cached) {
    String yaml() {
      return """
      stores:
        - {name: blob, machine_mb_per_s: %d, latency_ms: 5}
      machines:
        - {name: vm, count: %d}
        - {name: gpu, count: %d}
      servers:
        - {machine: vm, cache_gb: %s}
      datasets:
        - {name: set, store: blob, items: %d, gb: %s}
      jobs:
        - {name: job, count: %d, machine: gpu, dataset: set, start_s: 1, batch: 50, compute_ms: %d, epochs: 2}
      """
          .formatted(
              speed.storeMegabytes,
              servers,
              jobs,
              cached * GIGABYTES / servers,
              ITEMS,
              GIGABYTES,
              jobs,
              speed.computeMillis);
    }
  }

  /** Counts hits and reads by epoch, and remembers which parts of the data set stay and rotate. */
  private static final class Epochs implements Trace {
    private final long[] hits = new long[2];
    private final long[] reads = new long[2];
    private final List<Integer> epochs = new ArrayList<>();
    private double pinned;
    private double rotating;

    private int epoch(int job) {
      return Math.min(1, epochs.get(job));
    }

    @Override
    public void jobStarted(long now, int job, String name, int dataset) {
      epochs.add(0);
    }

    @Override
    public void epochEnded(long now, int job, int epoch) {
      epochs.set(job, epoch + 1);
    }

    @Override
    public void hits(long now, int job, int items, long bytes) {
      hits[epoch(job)] += items;
    }

    @Override
    public void storeRead(long now, int job, int items, long bytes, boolean demand) {
      reads[epoch(job)] += items;
    }

    @Override
    public void planned(long now, Plan plan) {
      for (DatasetPlan each : plan.datasets()) {
        long pins = each.held().stream().filter(held -> held.role() == ChunkRole.PINNED).count();
        pinned = Math.max(pinned, (double) pins / each.chunks());
        rotating = Math.max(rotating, (double) (each.held().size() - pins) / each.chunks());
      }
    }
  }

  static List<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (int servers : new int[] {1, 4}) {
      for (int jobs : new int[] {1, 2, 4}) {
        for (Speed speed : Speed.values()) {
          for (double cached : new double[] {8, 0.52, 0.22}) {
            cases.add(Arguments.of(new Case(servers, jobs, speed, cached)));
          }
        }
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theSecondEpochFindsAllThatThePlanKeeps(Case each) {
    Epochs epochs = new Epochs();
    SimulationResult result =
        Simulation.run(Scenario.parse("test", each.yaml()), 7, List.of(epochs));
    assertThat(result.violations()).isEmpty();
    double hits = (double) epochs.hits[1] / (each.jobs * ITEMS);
    assertThat(hits).isGreaterThanOrEqualTo(each.cached >= 1 ? 0.99 : 0.98 * epochs.pinned);
    double reads = (double) epochs.reads[0] / ITEMS;
    // Chunks that rotate at the end of the first epoch are read for the second.
    assertThat(reads).isLessThanOrEqualTo(1.002 + epochs.rotating);
  }
}
