package io.quiver.simulator.scenario;

import io.quiver.core.engine.ReadAheadWindow;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.order.SamplerKind;
import io.quiver.manager.ManagerConfig;
import io.quiver.simulator.engine.SeededNumbers;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Everything a simulation is about, in nanoseconds and bytes. Machines, servers and jobs that a
 * file counts are listed one by one here.
 *
 * @param name what results are called
 * @param seed decides everything that is random
 * @param network the network between machines, and to the manager
 * @param manager the manager's settings, with the planner's
 * @param loader how jobs read
 * @param inventory the stores, machines, servers and data sets
 * @param jobs the jobs
 * @param incidents what happens to the cluster, by time
 */
public record Scenario(
    String name,
    long seed,
    Network network,
    ManagerConfig manager,
    LoaderSpec loader,
    Inventory inventory,
    List<JobSpec> jobs,
    List<Incident> incidents) {
  /** Keeps its own copies. */
  public Scenario {
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

  /**
   * The network.
   *
   * @param bytesPerSecond what each machine's card can send and, at the same time, receive
   * @param latencyNanos how long a byte takes between machines
   * @param controlDelayNanos how long a message to or from the manager takes
   * @param cycleNanos shortest time between two plans
   */
  public record Network(
      double bytesPerSecond, long latencyNanos, long controlDelayNanos, long cycleNanos) {}

  /**
   * The parts of the cluster and the data.
   *
   * @param machines the machines' names
   * @param fullyCached whether everything is in the cache from the start, so that nothing is
   *     planned
   */
  public record Inventory(
      List<StoreSpec> stores,
      List<String> machines,
      List<ServerSpec> servers,
      List<DatasetSpec> datasets,
      boolean fullyCached) {
    /** Keeps its own copies. */
    public Inventory {
      stores = List.copyOf(stores);
      machines = List.copyOf(machines);
      servers = List.copyOf(servers);
      datasets = List.copyOf(datasets);
    }
  }

  /**
   * An object store.
   *
   * @param machineBytesPerSecond most a machine gets
   * @param sharedBytesPerSecond most all get together; empty for no limit
   * @param latencyNanos how long a read takes beside its bytes
   */
  public record StoreSpec(
      String name,
      double machineBytesPerSecond,
      OptionalDouble sharedBytesPerSecond,
      long latencyNanos) {}

  /** A cache server, its capacity and the speed of its disk. */
  public record ServerSpec(
      String name, String machine, long cacheBytes, double diskBytesPerSecond) {}

  /**
   * A data set of items of equal length.
   *
   * @param aggregate whether items are only counted, chunk by chunk
   */
  public record DatasetSpec(
      String name, String store, int items, long itemBytes, boolean aggregate) {}

  /**
   * A training job.
   *
   * @param machines the machine of each of its processes
   * @param batch how many items a process takes at a time
   * @param transform the work of its CPUs
   * @param compute the work of its GPUs
   */
  public record JobSpec(
      String name,
      List<String> machines,
      String dataset,
      int batch,
      SamplerKind sampler,
      long startNanos,
      Transform transform,
      Compute compute,
      Limits limits) {
    /** Keeps its own copy. */
    public JobSpec {
      machines = List.copyOf(machines);
    }
  }

  /**
   * The work of a job's CPUs on a batch that has been read, such as decoding and augmenting images.
   *
   * @param batchNanos how long a worker takes for a batch; 0 if there is nothing to do
   * @param workers how many batches a process transforms at the same time
   */
  public record Transform(long batchNanos, int workers) {
    /** Batches go to the GPUs as they were read. */
    public static final Transform NONE = new Transform(0, 1);

    /** Checks the numbers. */
    public Transform {
      if (batchNanos < 0 || workers < 1) {
        throw new IllegalArgumentException(
            workers + " workers that transform a batch in " + batchNanos + " ns; use one at least");
      }
    }
  }

  /**
   * The work of a job's GPUs.
   *
   * @param batchNanos how long a process works on a batch
   * @param jitter each batch takes up to this share more or less, every share as likely
   * @param gpus how many GPUs each process has
   */
  public record Compute(long batchNanos, double jitter, int gpus) {
    /** Checks the numbers. */
    public Compute {
      if (batchNanos < 0 || !(jitter >= 0 && jitter < 1)) {
        throw new IllegalArgumentException(
            "batches of " + batchNanos + " ns with a jitter of " + jitter + "; use 0 up to 1");
      }
    }

    /** Returns the time of the next batch, which has this share of a whole batch's items. */
    public long nanos(double share, SeededNumbers random) {
      double factor = jitter == 0 ? 1 : 1 + jitter * (2 * random.fraction() - 1);
      return Math.round(batchNanos * share * factor);
    }
  }

  /** The end of a job: the bound that it reaches first. */
  public record Limits(int epochs, long batches, long nanos) {}

  /**
   * The way jobs read.
   *
   * @param depth most batches being read or waiting for the GPUs
   * @param aheadBytes most bytes of these batches; one batch is always allowed
   * @param fetchBytes most bytes of items that are read from the store and inserted together; one
   *     item at least
   * @param preloadReads most such reads under way that bring chunks in ahead of time
   * @param claims whether jobs ask who fetches a missing item; if not, each fetches what it needs
   * @param preload whether jobs bring chunks in that the plan says are loading
   */
  public record LoaderSpec(
      int depth,
      long aheadBytes,
      long fetchBytes,
      int preloadReads,
      boolean claims,
      boolean preload) {
    /** The settings of the client's loader. */
    public static final LoaderSpec STANDARD =
        new LoaderSpec(
            ReadAheadWindow.STANDARD_BATCHES,
            ReadAheadWindow.STANDARD_BYTES,
            4_000_000,
            ReadRules.PRELOAD_LOTS,
            true,
            true);

    /** Checks the numbers. */
    public LoaderSpec {
      if (depth < 1 || aheadBytes < 1 || fetchBytes < 1 || preloadReads < 1) {
        throw new IllegalArgumentException(
            "a loader " + depth + " batches deep that reads " + fetchBytes + " bytes at a time");
      }
    }

    /** Returns a copy with claims and preloading, or without. */
    public LoaderSpec with(boolean claiming, boolean preloading) {
      return new LoaderSpec(depth, aheadBytes, fetchBytes, preloadReads, claiming, preloading);
    }
  }

  /** Something that happens to the cluster at a certain time. */
  public sealed interface Incident {
    /** Returns the time. */
    long atNanos();

    /** A job vanishes without a word. */
    record JobKilled(long atNanos, String job) implements Incident {}

    /** A server vanishes with everything on it. */
    record ServerKilled(long atNanos, String server) implements Incident {}

    /** A server joins, empty; one of this name may have been killed before. */
    record ServerJoined(long atNanos, ServerSpec server) implements Incident {}

    /** The manager vanishes with everything it knew. */
    record ManagerKilled(long atNanos) implements Incident {}

    /** A manager begins, knowing nothing. */
    record ManagerStarted(long atNanos) implements Incident {}
  }
}
