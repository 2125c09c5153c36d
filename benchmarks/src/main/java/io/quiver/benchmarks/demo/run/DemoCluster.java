package io.quiver.benchmarks.demo.run;

import io.quiver.benchmarks.demo.run.RunResult.ResidencyChange;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.Caching;
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

  /** No cache: a plain shuffle of the whole data set, read from the store. */
  final class NoCluster implements DemoCluster {
    @Override
    public LoaderConfig join(LoaderConfig config) {
      return config.withCaching(Caching.NONE).withSampler(SamplerKind.STRICT);
    }

    @Override
    public void close() {}
  }
}
