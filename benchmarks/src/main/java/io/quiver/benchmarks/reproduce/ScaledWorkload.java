package io.quiver.benchmarks.reproduce;

import io.quiver.client.loader.StoreReads;
import io.quiver.simulator.experiment.Workload;
import java.util.Locale;

/**
 * A workload of the paper small enough to be run for real: bytes and times are divided, what they
 * are to each other stays.
 *
 * @param name the model
 * @param itemBytes how long an item is on average
 * @param computeMillis how long a GPU would work on a batch
 * @param storeMegabytes what the store gives each job in a second
 */
record ScaledWorkload(String name, int itemBytes, double computeMillis, double storeMegabytes) {
  static final int JOBS = 4;
  static final int ITEMS = 3000;
  static final int BATCH = 32;
  static final int EPOCHS = 3;
  static final double CACHE_SHARE = 0.2;
  static final double STORE_LATENCY_MILLIS = 5;

  private static final double SHORTER = 96;
  private static final double FASTER = 2;
  private static final double MEGA = 1e6;

  static ScaledWorkload of(Workload workload) {
    return new ScaledWorkload(
        workload.name(),
        (int) Math.round(workload.batchBytes() / SHORTER / BATCH),
        workload.computeMillis() / FASTER,
        Workload.STORE_BYTES_PER_SECOND / SHORTER * FASTER / MEGA);
  }

  /**
   * Returns this workload as a scenario for the simulator. A live job claims as many items at once
   * as it may preload, and has three times as many under way.
   */
  String scenario(String caching, long bytes, double cacheBytes) {
    String cache =
        switch (caching) {
          case "all" -> "everything_cached: true";
          case "none" -> "planner: {kind: none}";
          default -> "planner: {kind: marginal}";
        };
    return String.format(
        Locale.ROOT,
        """
        name: %s, %s
        %s
        network: {mb_per_s: 1000, latency_ms: 0.1}
        stores:
          - {name: store, machine_mb_per_s: %.4f, latency_ms: %.1f}
        machines:
          - {name: machine, count: %d}
          - {name: cache}
        servers:
          - {machine: cache, cache_gb: %.6f}
        datasets:
          - {name: data, store: store, items: %d, gb: %.6f}
        jobs:
          - {name: job, count: %d, machine: machine, dataset: data, batch: %d, compute_ms: %.4f, epochs: %d}
        loader: {fetch_mb: %.6f, preload_reads: 3}
        """,
        name,
        caching,
        cache,
        storeMegabytes,
        STORE_LATENCY_MILLIS,
        JOBS,
        cacheBytes / 1e9,
        ITEMS,
        bytes / 1e9,
        JOBS,
        BATCH,
        computeMillis,
        EPOCHS,
        StoreReads.STANDARD.preload() * itemBytes / MEGA);
  }
}
