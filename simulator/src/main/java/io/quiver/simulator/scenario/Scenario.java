package io.quiver.simulator.scenario;

import io.quiver.manager.ManagerConfig;
import io.quiver.simulator.job.Caching;
import io.quiver.simulator.job.LoaderModel;
import java.nio.file.Path;
import java.util.List;

/**
 * Everything a simulation is about, in seconds and bytes; who is many in a file is listed one by
 * one here.
 *
 * @param name what it shows
 * @param seed decides everything that is random
 * @param caching what jobs do with the cache
 * @param networkBytesPerSecond what each machine's card can send, and receive
 * @param networkLatencyNanos how long a byte takes between machines
 * @param controlDelayNanos how long a message to or from the manager takes
 * @param turnNanos how long the manager is busy with a turn at least
 * @param manager what the manager goes by
 * @param loader how jobs read
 * @param stores the object stores
 * @param machines the machines' names
 * @param servers the cache servers
 * @param datasets the data sets
 * @param jobs the jobs
 * @param incidents what happens to the cluster
 */
public record Scenario(
    String name,
    long seed,
    Caching caching,
    double networkBytesPerSecond,
    long networkLatencyNanos,
    long controlDelayNanos,
    long turnNanos,
    ManagerConfig manager,
    LoaderModel loader,
    List<StoreSpec> stores,
    List<String> machines,
    List<ServerSpec> servers,
    List<DatasetSpec> datasets,
    List<JobSpec> jobs,
    List<Incident> incidents) {
  /** Keeps its own copies. */
  public Scenario {
    stores = List.copyOf(stores);
    machines = List.copyOf(machines);
    servers = List.copyOf(servers);
    datasets = List.copyOf(datasets);
    jobs = List.copyOf(jobs);
    incidents = List.copyOf(incidents);
  }

  /**
   * Reads a scenario file.
   *
   * @throws ScenarioException if it cannot be simulated
   */
  public static Scenario read(Path file) {
    return ScenarioReader.read(file);
  }

  /**
   * Reads a scenario from text.
   *
   * @param name stands for the file in messages
   * @throws ScenarioException if it cannot be simulated
   */
  public static Scenario parse(String name, String yaml) {
    return ScenarioReader.parse(name, yaml);
  }

  /** Returns a copy with another use of the cache. */
  public Scenario withCaching(Caching other) {
    return new Scenario(
        name,
        seed,
        other,
        networkBytesPerSecond,
        networkLatencyNanos,
        controlDelayNanos,
        turnNanos,
        manager,
        loader,
        stores,
        machines,
        servers,
        datasets,
        jobs,
        incidents);
  }
}
