package io.quiver.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.ShuffleQuality;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.result.SimulationResult.JobResult;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Runs jobs that share one data set, one store and one cache server, and notes what the claims of
 * pin + ring are about. Reads from the cache cost next to nothing; the store gives all jobs
 * together a fixed number of items a second. The judges watch every run.
 */
final class RingCluster implements Trace {
  private static final double ITEM_MEGABYTES = 0.1;

  private final int items;
  private final double fraction;
  private final double itemsPerSecond;
  private final int epochs;
  private final StringBuilder planner = new StringBuilder();
  private final Formatter jobs = new Formatter(Locale.ROOT);
  private final Formatter events = new Formatter(Locale.ROOT);
  private double planDelaySeconds = 0.03;
  private int jobCount;

  private final Map<String, JobResult> results = new HashMap<>();
  private final Map<Integer, Long> readsAtEpoch = new TreeMap<>();
  private final Map<Integer, List<ShuffleQuality>> orders = new HashMap<>();
  private long reads;
  private int mostRotating;
  private int mostHeld;
  private int chunks;

  /**
   * Describes a cluster without jobs.
   *
   * @param fraction the part of the data set that the server holds
   * @param itemsPerSecond items that the store gives all jobs together
   */
  RingCluster(int items, double fraction, double itemsPerSecond, int epochs) {
    this.items = items;
    this.fraction = fraction;
    this.itemsPerSecond = itemsPerSecond;
    this.epochs = epochs;
  }

  /** Sets keys of the scenario's planner. */
  RingCluster planner(String keys) {
    planner.append(keys);
    return this;
  }

  /** Sets the time between a job's report and the plan that answers it. */
  RingCluster planDelay(double seconds) {
    planDelaySeconds = seconds;
    return this;
  }

  /** Adds a job; jobs are called job-0, job-1 and so on. */
  RingCluster job(double itemSeconds, int batch, double startSeconds) {
    jobs.format(
        "  - {name: job-%d, machine: vm-%d, dataset: set, batch: %d, compute_ms: %.6f,"
            + " epochs: %d, start_s: %.6f}%n",
        jobCount, jobCount++, batch, itemSeconds * batch * 1e3, epochs, startSeconds);
    return this;
  }

  /** Lets a job vanish without a word. */
  RingCluster killJob(int job, double atSeconds) {
    events.format("  - {at_s: %.6f, kill_job: job-%d}%n", atSeconds, job);
    return this;
  }

  /** Replaces the manager by one that knows nothing. */
  RingCluster restartManager(double atSeconds, double downSeconds) {
    events.format("  - {at_s: %.6f, kill_manager: true}%n", atSeconds);
    events.format("  - {at_s: %.6f, start_manager: true}%n", atSeconds + downSeconds);
    return this;
  }

  /** Runs the jobs to their ends; every promise of the judges must hold. */
  RingCluster run(long seed) {
    Scenario scenario = Scenario.parse("ring", yaml());
    SimulationResult result = Simulation.run(scenario, seed, List.of(this));
    assertThat(result.violations()).as("seed %d of%n%s", seed, yaml()).isEmpty();
    result.jobs().forEach(job -> results.put(job.name(), job));
    return this;
  }

  private String yaml() {
    String rate = String.format(Locale.ROOT, "%.6f", itemsPerSecond * ITEM_MEGABYTES);
    String all = events.toString();
    return String.format(
            Locale.ROOT,
            """
            network: {mb_per_s: 1000000, latency_ms: 0.1}
            control: {delay_ms: %.6f}
            planner: {%s}
            loader: {fetch_mb: 1}
            stores:
              - {name: store, machine_mb_per_s: %s, shared_mb_per_s: %s}
            machines:
              - {name: cache}
              - {name: vm, count: %d}
            servers:
              - {machine: cache, cache_gb: %.9f, disk_mb_per_s: 1000000}
            datasets:
              - {name: set, store: store, items: %d, gb: %.9f}
            jobs:
            """,
            planDelaySeconds * 1e3 / 2,
            planner,
            rate,
            rate,
            Math.max(2, jobCount),
            items * fraction * ITEM_MEGABYTES / 1e3,
            items,
            items * ITEM_MEGABYTES / 1e3)
        + jobs
        + (all.isEmpty() ? "" : "events:\n" + all);
  }

  /** Returns the reads per item while the first job was in an epoch. */
  double reads(int epoch) {
    long before = readsAtEpoch.getOrDefault(epoch, reads);
    return (readsAtEpoch.getOrDefault(epoch + 1, reads) - before) / (double) items;
  }

  /**
   * Returns the reads per item and epoch, without the first, which fills the cache, and the last.
   */
  double steadyReads() {
    return IntStream.range(1, epochs - 1).mapToDouble(this::reads).average().orElseThrow();
  }

  /** Returns how many times as long a job took as its work alone takes. */
  double slowdown(int job, double itemSeconds) {
    return seconds(job) / (epochs * items * itemSeconds);
  }

  private double seconds(int job) {
    return Objects.requireNonNull(results.get("job-" + job)).seconds();
  }

  /** Returns the most chunks that a plan let rotate. */
  int mostRotating() {
    return mostRotating;
  }

  /** Returns the most chunks that a plan wanted held. */
  int mostHeld() {
    return mostHeld;
  }

  /** Returns the number of chunks of the latest plan. */
  int chunks() {
    return chunks;
  }

  /** Returns the order of a job's items, epoch by epoch. */
  List<ShuffleQuality> orders(int job) {
    return orders.getOrDefault(job, List.of());
  }

  @Override
  public void storeRead(long now, int job, int count, long bytes, boolean demand) {
    reads += count;
  }

  @Override
  public void epochEnded(long now, int job, int epoch) {
    readsAtEpoch.putIfAbsent(epoch + 1, reads);
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] batch, long stallNanos) {
    List<ShuffleQuality> known = orders.computeIfAbsent(job, any -> new ArrayList<>());
    if (known.size() == epoch) {
      known.add(new ShuffleQuality(items));
    }
    known.getLast().add(batch);
  }

  @Override
  public void planned(long now, Plan plan) {
    for (DatasetPlan dataset : plan.datasets()) {
      chunks = dataset.chunks();
      long rotating =
          dataset.held().stream().filter(each -> each.role() == ChunkRole.ROTATING).count();
      mostRotating = Math.max(mostRotating, (int) rotating);
      mostHeld = Math.max(mostHeld, dataset.held().size());
      double held = (double) dataset.held().size() * items / chunks;
      assertThat(held).as("items the plan wants held").isLessThanOrEqualTo(items * fraction);
    }
  }
}
