package io.quiver.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.result.SimulationResult.ChunkResidency;
import io.quiver.simulator.result.SimulationResult.JobResult;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs of small scenarios. */
class SimulationTest {
  /** Four jobs of 1 ms per item; the store gives each machine an item in 2.2 ms. */
  private static final String FOUR_JOBS =
      """
      name: four jobs
      stores:
        - {name: blob, machine_mb_per_s: 45, latency_ms: 5}
      machines:
        - {name: vm, count: 4}
      servers:
        - {machine: vm, cache_gb: 0.055}
      datasets:
        - {name: set, store: blob, items: 10000, gb: 1}
      jobs:
        - {name: job, count: 4, machine: vm, dataset: set, batch: 50, compute_ms: 50, epochs: 4}
      """;

  private static final double COMPUTE_SECONDS = 4 * 10_000 * 0.001;

  private static SimulationResult run(String yaml) {
    return good(Simulation.run(Scenario.parse("test", yaml), 7));
  }

  private static SimulationResult good(SimulationResult result) {
    assertThat(result.violations()).isEmpty();
    return result;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "planner: {kind: marginal}",
        "planner: {kind: greedy3}",
        "planner: {kind: lru}",
        "planner: {kind: none}",
        "everything_cached: true"
      })
  void theSameSeedGivesTheSameLog(String cache) {
    String shorter = FOUR_JOBS.replace("epochs: 4", "epochs: 2, jitter: 0.1");
    Scenario scenario = Scenario.parse("test", cache + "\n" + shorter);
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    SimulationResult one = Simulation.run(scenario, 7, first::add);
    SimulationResult two = Simulation.run(scenario, 7, second::add);
    assertThat(first).isNotEmpty().isEqualTo(second);
    assertThat(one).isEqualTo(two);
    assertThat(Simulation.run(scenario, 8).run()).isNotEqualTo(one.run());
    assertThat(Simulation.run(scenario, 7).run()).isEqualTo(one.run());
  }

  @Test
  void withoutACacheTheStoreSetsThePace() {
    SimulationResult result = run("planner: {kind: none}\n" + FOUR_JOBS);
    for (JobResult job : result.jobs()) {
      assertThat(job.seconds()).isCloseTo(4e9 / 45e6, within(1.0));
      assertThat(job.items().fromStore()).isEqualTo(40_000);
      assertThat(job.items().hits()).isZero();
    }
  }

  @Test
  void withEverythingCachedTheGpusDo() {
    SimulationResult result = run("everything_cached: true\n" + FOUR_JOBS);
    for (JobResult job : result.jobs()) {
      assertThat(job.seconds()).isCloseTo(COMPUTE_SECONDS, within(0.5));
      assertThat(job.items().fromStore()).isZero();
      assertThat(job.items().hits()).isEqualTo(job.items().delivered());
    }
  }

  @Test
  void aSharedStoreIsDividedAmongTheJobs() {
    String shared = FOUR_JOBS.replace("latency_ms: 5", "shared_mb_per_s: 50, latency_ms: 5");
    SimulationResult result = run("planner: {kind: none}\n" + shared);
    assertThat(result.slowestSeconds()).isCloseTo(4 * 4 * 1e9 / 50e6, within(3.0));
  }

  /** One random permutation per epoch: c + (1 − c) ln(1 − c) of the accesses hit. */
  @Test
  void recencyHitsAsMuchAsTheFormulaSays() {
    String one =
        FOUR_JOBS
            .replace("cache_gb: 0.055", "cache_gb: 0.125")
            .replace("count: 4, machine: vm, ", "machine: vm-0, ")
            .replace("compute_ms: 50, epochs: 4", "compute_ms: 50, epochs: 9, sampler: strict");
    JobResult job = run("planner: {kind: lru}\n" + one).jobs().getFirst();
    double share = 0.5;
    double steady = share + (1 - share) * Math.log(1 - share);
    assertThat((double) job.items().hits() / (job.items().delivered() - 10_000))
        .isCloseTo(steady, within(0.02));
  }

  /** Keeps what is read first: every later epoch hits the cached share, no more. */
  @Test
  void aCacheThatEvictsNothingHitsItsShareOfEveryEpoch() {
    String one =
        FOUR_JOBS
            .replace("cache_gb: 0.055", "cache_gb: 0.125")
            .replace("count: 4, machine: vm, ", "machine: vm-0, ")
            .replace("compute_ms: 50, epochs: 4", "compute_ms: 50, epochs: 3, sampler: strict");
    JobResult job = run("planner: {kind: pinned}\n" + one).jobs().getFirst();
    assertThat((double) job.items().hits() / (job.items().delivered() - 10_000))
        .isCloseTo(0.5, within(0.01));
  }

  /** Records the chunks that a plan pins, in shares of the data set. */
  private static final class Pinned implements Trace {
    private double share;

    @Override
    public void planned(long now, Plan plan) {
      for (DatasetPlan each : plan.datasets()) {
        long pinned = each.held().stream().filter(held -> held.role() == ChunkRole.PINNED).count();
        share = Math.max(share, (double) pinned / each.chunks());
      }
    }

    /**
     * Returns what is read of the data set at least: 1 − c + w for each epoch, and once what is
     * pinned.
     */
    double leastReads(int epochs) {
      return epochs * (1 - share) + share;
    }
  }

  private static SimulationResult run(String yaml, Pinned pinned) {
    return good(Simulation.run(Scenario.parse("test", yaml), 7, List.of(pinned)));
  }

  @Test
  void jobsOfEqualSpeedReadOnceForAllAndKeepTheirGpusBusy() {
    Pinned pinned = new Pinned();
    SimulationResult result = run(FOUR_JOBS, pinned);
    assertThat(pinned.share).isGreaterThanOrEqualTo(0.1);
    assertThat(result.storeBytes() / 1e9).isLessThan(1.05 * pinned.leastReads(4));
    assertThat(fastest(result)).isLessThan(1.05 * COMPUTE_SECONDS);
    assertThat(result.slowestSeconds()).isLessThan(1.10 * COMPUTE_SECONDS);
    assertThat(result.run().plans()).isGreaterThan(10);
  }

  private static double fastest(SimulationResult result) {
    return result.jobs().stream().mapToDouble(JobResult::seconds).min().orElseThrow();
  }

  /** The fast ones set the pace: reads are counted in their epochs. */
  @Test
  void jobsAThirdAsFastRideAlong() {
    Pinned pinned = new Pinned();
    String speeds =
        FOUR_JOBS.replace(
            "count: 4, machine: vm, dataset: set, batch: 50, compute_ms: 50, epochs: 4}",
            """
            count: 2, machine: vm, dataset: set, batch: 50, compute_ms: 50, epochs: 6}
              - {name: slow-2, machine: vm-2, dataset: set, batch: 50, compute_ms: 150, epochs: 2}
              - {name: slow-3, machine: vm-3, dataset: set, batch: 50, compute_ms: 150, epochs: 2}
            """);
    SimulationResult result = run(speeds, pinned);
    double seconds = 1.5 * COMPUTE_SECONDS;
    assertThat(result.storeBytes() / 1e9).isLessThan(1.15 * pinned.leastReads(6));
    assertThat(fastest(result)).isLessThan(1.05 * seconds);
    assertThat(result.slowestSeconds()).isLessThan(1.10 * seconds);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void neverMoreChunksRotateThanTheWindowHas(int window) {
    String yaml = FOUR_JOBS + "planner: {window: " + window + "}\n";
    List<ChunkResidency> rotating =
        run(yaml).residencies().stream().filter(ChunkResidency::rotating).toList();
    assertThat(rotating).hasSizeGreaterThan(20);
    for (ChunkResidency one : rotating) {
      double moment = one.fromSeconds() + 1e-9;
      long together =
          rotating.stream()
              .filter(each -> each.fromSeconds() <= moment && moment < each.toSeconds())
              .count();
      assertThat(together).isLessThanOrEqualTo(window);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"substitute", "paper", "strict"})
  void everySamplerDeliversEveryEpoch(String sampler) {
    SimulationResult result = run(FOUR_JOBS.replace("epochs: 4", "epochs: 2, sampler: " + sampler));
    assertThat(result.jobs())
        .allMatch(job -> job.items().delivered() == 20_000 && job.batches() == 400);
  }

  @Test
  void jobsEndAfterTheirBatchesOrMinutes() {
    SimulationResult result = run(FOUR_JOBS.replace("epochs: 4", "epochs: 4, batches: 30"));
    assertThat(result.jobs()).allMatch(job -> job.batches() == 30);
    SimulationResult timed = run(FOUR_JOBS.replace("epochs: 4", "minutes: 0.25"));
    assertThat(timed.jobs()).allMatch(job -> Math.abs(job.seconds() - 15) < 0.2);
  }

  @Test
  void aKilledJobHoldsNobodyUp() {
    SimulationResult result = run(FOUR_JOBS + "events:\n  - {at_s: 14.3, kill_job: job-2}\n");
    for (JobResult job : result.jobs()) {
      if (job.name().equals("job-2")) {
        assertThat(job.killed()).isTrue();
        assertThat(job.seconds()).isCloseTo(14.3, within(0.1));
      } else {
        // What it had claimed is fetched by others when the claims have lapsed, after 5 s.
        assertThat(job.seconds()).isLessThan(1.10 * COMPUTE_SECONDS + 6);
      }
    }
  }

  @Test
  void aLostServerCostsTimeAndNothingElse() {
    SimulationResult whole = run(FOUR_JOBS);
    SimulationResult result = run(FOUR_JOBS + "events:\n  - {at_s: 15, kill_server: vm-1}\n");
    assertThat(result.jobs()).allMatch(job -> job.items().delivered() == 40_000);
    assertThat(result.storeBytes()).isGreaterThan(whole.storeBytes());
    assertThat(result.slowestSeconds()).isLessThan(1.3 * COMPUTE_SECONDS);
  }

  /** Checks that a cache in two parts saves as many reads as one, though one part comes later. */
  @ParameterizedTest
  @CsvSource({"0.135, 0.54", "0.27, 0.27", "0.055, 0.5"})
  void aServerThatJoinsIsUsed(double first, double second) {
    String longer = FOUR_JOBS.replace("epochs: 4", "epochs: 6");
    String one = longer.replace("machine: vm, cache_gb: 0.055", "machine: vm-0, cache_gb: %s");
    SimulationResult whole = run(one.formatted(first + second));
    SimulationResult joined =
        run(
            one.formatted(first)
                + "events:\n  - {at_s: 1, join_server: new, machine: vm-1, cache_gb: %s}\n"
                    .formatted(second));
    assertThat(joined.jobs()).allMatch(job -> job.items().delivered() == 60_000);
    assertThat((double) joined.storeBytes()).isLessThan(1.25 * whole.storeBytes());
  }

  @Test
  void jobsGoOnWithoutAManagerAndFollowTheNext() {
    SimulationResult result =
        run(
            FOUR_JOBS
                + """
                events:
                  - {at_s: 15, kill_manager: true}
                  - {at_s: 16, start_manager: true}
                """);
    assertThat(result.slowestSeconds()).isLessThan(1.2 * COMPUTE_SECONDS);
  }

  @Test
  void withoutAManagerForGoodJobsEndNoSlowerThanTheStore() {
    SimulationResult result = run(FOUR_JOBS + "events:\n  - {at_s: 0, kill_manager: true}\n");
    assertThat(result.slowestSeconds()).isLessThan(4e9 / 45e6 + 6);
  }

  @Test
  void itemsThatAreOnlyCountedComeToTheSame() {
    SimulationResult named = run(FOUR_JOBS);
    SimulationResult counted = run(FOUR_JOBS.replace("gb: 1}", "gb: 1, aggregate: true}"));
    assertThat(counted.averageSeconds()).isCloseTo(named.averageSeconds(), withinPercentage(5));
    assertThat((double) counted.storeBytes())
        .isCloseTo((double) named.storeBytes(), withinPercentage(5));
  }

  /** Checks that every run ends and the judges are content, whatever happens to a cluster. */
  @Test
  void randomClustersKeepEveryPromise() {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    int rounds = Boolean.getBoolean("quiver.test.long") ? 300 : 15;
    RandomScenarios scenarios = new RandomScenarios(seed);
    for (int round = 0; round < rounds; round++) {
      Scenario scenario = scenarios.next();
      SimulationResult result = Simulation.run(scenario, seed + round);
      assertThat(result.violations()).as("seed %d, round %d, %s", seed, round, scenario).isEmpty();
    }
  }
}
