package io.quiver.simulator.experiment;

import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.manager.ManagerConfig;
import io.quiver.simulator.job.Caching;
import io.quiver.simulator.job.LoaderModel;
import io.quiver.simulator.scenario.DatasetSpec;
import io.quiver.simulator.scenario.Incident;
import io.quiver.simulator.scenario.JobSpec;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.scenario.ServerSpec;
import io.quiver.simulator.scenario.StoreSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Builds scenarios of the paper's cluster: machines with a server and a job each. What the paper
 * does not tell and what does not hold anybody up there is set to usual values: network cards of 24
 * Gbit/s, disks of 2 GB/s, messages of a millisecond.
 */
final class SharedCluster {
  private static final double NETWORK = 3e9;
  private static final double DISK = 2e9;
  private static final long NETWORK_LATENCY = 100_000;
  private static final long STORE_LATENCY = 10_000_000;
  private static final long CONTROL_DELAY = 1_000_000;
  private static final double MILLI = 1e6;
  private static final double NANOS = 1e9;

  private static final String STORE = "blob";

  private final String name;
  private final int batchItems;
  private final List<String> machines = new ArrayList<>();
  private final List<DatasetSpec> datasets = new ArrayList<>();
  private final List<JobSpec> jobs = new ArrayList<>();
  private final List<Incident> incidents = new ArrayList<>();
  private Caching caching = Caching.PLANNED;
  private PlannerConfig planner = PlannerConfig.DEFAULT;
  private LoaderModel loader = LoaderModel.STANDARD;
  private double cacheBytes;
  private long turnNanos = 10_000_000;
  private double storeFactor = 1;
  private double untilSeconds = Double.POSITIVE_INFINITY;
  private int epochs = Integer.MAX_VALUE;

  /**
   * An empty cluster.
   *
   * @param batchItems how many items stand for a mini-batch
   */
  SharedCluster(String name, int batchItems) {
    this.name = name;
    this.batchItems = batchItems;
  }

  /** Sets the use of the cache by jobs and the bytes of all servers together. */
  SharedCluster caching(Caching value, double bytes) {
    caching = value;
    cacheBytes = bytes;
    return this;
  }

  SharedCluster planner(PlannerConfig value) {
    planner = value;
    return this;
  }

  SharedCluster loader(LoaderModel value) {
    loader = value;
    return this;
  }

  /** A store this many times as fast as the paper's. */
  SharedCluster storeFactor(double value) {
    storeFactor = value;
    return this;
  }

  /** Sets the shortest time of a planning cycle of the manager. */
  SharedCluster turnMillis(long value) {
    turnNanos = Math.round(value * MILLI);
    return this;
  }

  /** The jobs added from now on end at this time. */
  SharedCluster untilSeconds(double value) {
    untilSeconds = value;
    return this;
  }

  /** The jobs added from now on run so many epochs at most. */
  SharedCluster epochs(int value) {
    epochs = value;
    return this;
  }

  /** The server on one of the machines, counted from 0, dies. */
  SharedCluster killServer(double atSeconds, int machine) {
    incidents.add(new Incident.ServerKilled(Math.round(atSeconds * NANOS), "vm-" + machine));
    return this;
  }

  /** Adds jobs of a workload, each on a machine of its own. */
  SharedCluster jobs(
      Workload workload, int count, long batches, double startSeconds, SamplerKind sampler) {
    if (datasets.stream().noneMatch(each -> each.name().equals(workload.dataset()))) {
      datasets.add(
          new DatasetSpec(
              workload.dataset(),
              STORE,
              workload.items(batchItems),
              workload.itemBytes(batchItems),
              false));
    }
    for (int i = 0; i < count; i++) {
      String machine = "vm-" + machines.size();
      machines.add(machine);
      jobs.add(
          new JobSpec(
              workload.name() + "-" + jobs.size(),
              machine,
              workload.dataset(),
              batchItems,
              Math.round(workload.computeMillis() * MILLI),
              0,
              4,
              epochs,
              batches,
              Math.round((untilSeconds - startSeconds) * NANOS),
              Math.round(startSeconds * NANOS),
              sampler));
    }
    return this;
  }

  /** Adds so many jobs of each of the paper's workloads. */
  SharedCluster mix(int each, SamplerKind sampler) {
    for (Workload workload : Workload.ALL) {
      jobs(workload, each, Long.MAX_VALUE, 0, sampler);
    }
    return this;
  }

  Scenario build(long seed) {
    long each = (long) (cacheBytes / machines.size());
    List<ServerSpec> servers =
        machines.stream().map(machine -> new ServerSpec(machine, machine, each, DISK)).toList();
    ManagerConfig manager = ManagerConfig.DEFAULT;
    StoreSpec store =
        new StoreSpec(
            STORE,
            Workload.STORE_BYTES_PER_SECOND * storeFactor,
            OptionalDouble.empty(),
            STORE_LATENCY);
    return new Scenario(
        name,
        seed,
        caching,
        NETWORK,
        NETWORK_LATENCY,
        CONTROL_DELAY,
        turnNanos,
        manager.withPlanner(planner).withBudget(Long.MAX_VALUE),
        loader,
        List.of(store),
        machines,
        caching == Caching.NONE ? List.of() : servers,
        datasets,
        jobs,
        incidents);
  }
}
