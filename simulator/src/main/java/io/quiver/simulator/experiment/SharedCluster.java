package io.quiver.simulator.experiment;

import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerConfig;
import io.quiver.manager.ManagerConfig;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.scenario.Scenario.Compute;
import io.quiver.simulator.scenario.Scenario.DatasetSpec;
import io.quiver.simulator.scenario.Scenario.Incident;
import io.quiver.simulator.scenario.Scenario.Inventory;
import io.quiver.simulator.scenario.Scenario.JobSpec;
import io.quiver.simulator.scenario.Scenario.Limits;
import io.quiver.simulator.scenario.Scenario.LoaderSpec;
import io.quiver.simulator.scenario.Scenario.Network;
import io.quiver.simulator.scenario.Scenario.ServerSpec;
import io.quiver.simulator.scenario.Scenario.StoreSpec;
import io.quiver.simulator.scenario.Scenario.Transform;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Builds scenarios of the paper's cluster: machines with a server and a job each. The paper leaves
 * out some values that hold nobody up; those are usual ones: network cards of 24 Gbit/s, disks of 2
 * GB/s, messages of a millisecond.
 */
final class SharedCluster {
  private static final double NETWORK = 3e9;
  private static final double DISK = 2e9;
  private static final long NETWORK_LATENCY = 100_000;
  private static final long STORE_LATENCY = 10_000_000;
  private static final long CONTROL_DELAY = 1_000_000;
  private static final double MILLI = 1e6;
  private static final double NANOS = 1e9;

  private static final int GPUS = 4;
  private static final String STORE = "blob";

  private final String name;
  private final int batchItems;
  private final List<String> machines = new ArrayList<>();
  private final List<DatasetSpec> datasets = new ArrayList<>();
  private final List<JobSpec> jobs = new ArrayList<>();
  private final List<Incident> incidents = new ArrayList<>();
  private boolean fullyCached;
  private PlannerConfig planner = PlannerConfig.DEFAULT;
  private LoaderSpec loader = LoaderSpec.STANDARD;
  private Transform transform = Transform.NONE;
  private double cacheBytes;
  private long budgetBytes = Long.MAX_VALUE;
  private long cycleNanos = 10_000_000;
  private double storeFactor = 1;
  private double untilSeconds = Double.POSITIVE_INFINITY;
  private int epochs = Integer.MAX_VALUE;

  /**
   * Makes an empty cluster.
   *
   * @param batchItems how many items stand for a mini-batch
   */
  SharedCluster(String name, int batchItems) {
    this.name = name;
    this.batchItems = batchItems;
  }

  /** Sets the bytes of all servers together. */
  SharedCluster cache(double bytes) {
    cacheBytes = bytes;
    return this;
  }

  /** Sets the most bytes that a plan may fill. */
  SharedCluster budget(double bytes) {
    budgetBytes = (long) bytes;
    return this;
  }

  /** Has everything in the cache from the start. */
  SharedCluster fullyCached() {
    fullyCached = true;
    return this;
  }

  SharedCluster planner(PlannerConfig value) {
    planner = value;
    return this;
  }

  SharedCluster loader(LoaderSpec value) {
    loader = value;
    return this;
  }

  /** Sets the CPU work of the jobs added from now on. */
  SharedCluster transform(Transform value) {
    transform = value;
    return this;
  }

  /** Sets the store's speed as a multiple of the paper's. */
  SharedCluster storeFactor(double value) {
    storeFactor = value;
    return this;
  }

  /** Sets the shortest time of a planning cycle of the manager. */
  SharedCluster cycleMillis(long value) {
    cycleNanos = Math.round(value * MILLI);
    return this;
  }

  /** Sets the end of the jobs added from now on. */
  SharedCluster untilSeconds(double value) {
    untilSeconds = value;
    return this;
  }

  /** Sets the most epochs of the jobs added from now on. */
  SharedCluster epochs(int value) {
    epochs = value;
    return this;
  }

  /** Kills the server on one of the machines, counted from 0. */
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
              List.of(machine),
              workload.dataset(),
              batchItems,
              sampler,
              Math.round(startSeconds * NANOS),
              transform,
              new Compute(Math.round(workload.computeMillis() * MILLI), 0, GPUS),
              new Limits(epochs, batches, Math.round((untilSeconds - startSeconds) * NANOS))));
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
    Inventory inventory =
        new Inventory(
            List.of(store), machines, cacheBytes == 0 ? List.of() : servers, datasets, fullyCached);
    return new Scenario(
        name,
        seed,
        new Network(NETWORK, NETWORK_LATENCY, CONTROL_DELAY, cycleNanos),
        manager.withPlanner(planner).withBudget(budgetBytes),
        loader,
        inventory,
        jobs,
        incidents);
  }
}
