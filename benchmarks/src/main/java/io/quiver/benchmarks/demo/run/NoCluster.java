package io.quiver.benchmarks.demo.run;

import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.Caching;

/** No cache: a plain shuffle of the whole data set, read from the store. */
final class NoCluster implements DemoCluster {
  @Override
  public LoaderConfig join(LoaderConfig config) {
    return config.withCaching(Caching.NONE).withSampler(SamplerKind.STRICT);
  }

  @Override
  public void close() {}
}
