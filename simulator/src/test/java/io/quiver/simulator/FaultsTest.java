package io.quiver.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.trace.Trace;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks decisions under faults, each with several seeds: jobs go on, share their reads, and get
 * every item exactly once, which the judges see to.
 */
class FaultsTest {
  private static final int ITEMS = 3000;
  private static final double WORK_SECONDS = 4 * 15;

  /** Four jobs of 5 ms an item, whose machines get an item from the store in 0.4 ms each. */
  private static final String JOBS =
      """
      stores:
        - {name: store, machine_mb_per_s: 20, latency_ms: 2}
      machines:
        - {name: vm, count: 4}
      servers:
        - {machine: vm, cache_gb: %s}
      datasets:
        - {name: set, store: store, items: 3000, gb: 0.024}
      jobs:
        - {name: job, count: 4, machine: vm, dataset: set, batch: 16, compute_ms: 80, epochs: 4}
      """;

  private static final String ALL_CACHED = JOBS.formatted("0.012");
  private static final String A_QUARTER_CACHED = JOBS.formatted("0.0018");

  /** Counts reads of the store from a time on: those that batches waited for, and the others. */
  private static final class ReadsSince implements Trace {
    private final long fromNanos;
    private long demanded;
    private long preloaded;

    ReadsSince(double seconds) {
      fromNanos = (long) (seconds * 1e9);
    }

    @Override
    public void storeRead(long now, int job, int items, long bytes, boolean demand) {
      if (now >= fromNanos) {
        demanded += demand ? items : 0;
        preloaded += demand ? 0 : items;
      }
    }
  }

  private static SimulationResult run(String yaml, long seed, Trace... watchers) {
    SimulationResult result =
        Simulation.run(Scenario.parse("faults", yaml), seed, List.of(watchers));
    assertThat(result.violations()).as("seed %d", seed).isEmpty();
    assertThat(result.jobs())
        .filteredOn(job -> !job.killed())
        .allMatch(job -> job.items().delivered() == 4 * ITEMS);
    return result;
  }

  private static double readsPerItem(SimulationResult result) {
    return result.jobs().stream().mapToLong(job -> job.items().fromStore()).sum() / (double) ITEMS;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void fourJobsReadTheStoreLessThanOncePerItemAndEpoch(long seed) {
    assertThat(readsPerItem(run(A_QUARTER_CACHED, seed)) / 4).isLessThan(1.0);
    assertThat(readsPerItem(run(ALL_CACHED, seed))).isLessThan(1.04);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void partsOfALostServerAreBroughtInAgainWhileBatchesSubstitute(long seed) {
    ReadsSince lost = new ReadsSince(16);
    run(ALL_CACHED + "events:\n  - {at_s: 16, kill_server: vm-1}\n", seed, lost);
    assertThat(lost.preloaded).isGreaterThan(ITEMS / 5);
    // Four jobs take 8000 items before the manager misses the server.
    assertThat(lost.demanded).isLessThan(ITEMS / 4);
    assertThat(lost.demanded + lost.preloaded).isLessThan(ITEMS / 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aServerThatComesBackEmptyCostsNothingButReads(long seed) {
    String events =
        """
        events:
          - {at_s: 20, kill_server: vm-1}
          - {at_s: 40, start_server: vm-1}
        """;
    SimulationResult result = run(ALL_CACHED + events, seed);
    // A quarter is read again when the server goes, and a quarter when it is back and empty.
    assertThat(readsPerItem(result)).isBetween(1.2, 1.8);
    assertThat(result.slowestSeconds()).isLessThan(1.2 * WORK_SECONDS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void withAllServersGoneForGoodJobsReadFromTheStore(long seed) {
    StringBuilder events = new StringBuilder("events:\n");
    for (int server = 0; server < 4; server++) {
      events.append("  - {at_s: 20, kill_server: vm-").append(server).append("}\n");
    }
    SimulationResult result = run(ALL_CACHED + events, seed);
    assertThat(readsPerItem(result)).isGreaterThan(4 * 2);
  }

  /** A killed job holds claims for their lease of 5 s; others substitute until none is left. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void claimsOfAKilledJobPassOnWhenTheirLeaseIsOver(long seed) {
    String events = "events:\n  - {at_s: 0.5, kill_job: job-2}\n";
    SimulationResult result = run(ALL_CACHED + events, seed);
    assertThat(result.slowestSeconds()).isLessThan(WORK_SECONDS + 6);
    assertThat(readsPerItem(result)).isLessThan(1.1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {50, 200})
  void plansThatComeLateCostReadsAndNothingElse(double delayMillis) {
    String late = "control: {delay_ms: " + delayMillis + "}\n" + A_QUARTER_CACHED;
    SimulationResult result = run(late, 1);
    assertThat(readsPerItem(result) / 4).isLessThan(1 + delayMillis / 500);
    assertThat(result.slowestSeconds()).isLessThan(1.05 * WORK_SECONDS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aManagerThatIsGoneForASecondLosesNothing(long seed) {
    String events =
        """
        events:
          - {at_s: 20, kill_manager: true}
          - {at_s: 21, start_manager: true}
        """;
    assertThat(readsPerItem(run(ALL_CACHED + events, seed))).isLessThan(1.04);
  }
}
