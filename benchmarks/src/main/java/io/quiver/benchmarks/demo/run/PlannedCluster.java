package io.quiver.benchmarks.demo.run;

import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerKind;
import io.quiver.node.EmbeddedCluster;
import io.quiver.node.NodeException;
import java.nio.file.Path;
import java.util.List;

/** The embedded cluster, with somebody who watches what its plans hold. */
final class PlannedCluster implements DemoCluster {
  private final EmbeddedCluster cluster;
  private final ResidencyWatch watch;

  private PlannedCluster(EmbeddedCluster cluster) {
    this.cluster = cluster;
    this.watch = new ResidencyWatch(cluster.manager());
  }

  /** Starts an empty cluster and waits until its manager plans for its server. */
  static PlannedCluster open(Path folder, long budgetBytes, PlannerKind planner)
      throws NodeException, InterruptedException {
    return new PlannedCluster(EmbeddedCluster.open(folder, budgetBytes, planner));
  }

  @Override
  public void begin(long zeroNanos) {
    watch.begin(zeroNanos);
  }

  @Override
  public LoaderConfig join(LoaderConfig config) {
    return cluster.join(config).withSampler(SamplerKind.SUBSTITUTE);
  }

  @Override
  public List<ResidencyChange> residency() {
    return watch.changes();
  }

  @Override
  public void close() {
    watch.close();
    cluster.close();
  }
}
