package io.quiver.benchmarks.demo.run;

import io.quiver.client.loader.LoaderConfig;
import java.util.List;

/** The cache that a mode puts between the jobs and the store. */
interface DemoCluster extends AutoCloseable {
  /** Returns the configuration of a job's loader, told where the cache is and how to use it. */
  LoaderConfig join(LoaderConfig config);

  /** The jobs start now, at this moment of the system's nanosecond clock. */
  default void begin(long zeroNanos) {}

  /** Returns the contents of the cache over time; empty where no plan says. */
  default List<ResidencyChange> residency() {
    return List.of();
  }

  /** Stops it. */
  @Override
  void close();
}
