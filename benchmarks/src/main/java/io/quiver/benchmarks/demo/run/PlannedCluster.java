package io.quiver.benchmarks.demo.run;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.demo.run.RunResult.ResidencyChange;
import io.quiver.client.Blob;
import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.PlannerKind;
import io.quiver.node.EmbeddedCluster;
import io.quiver.node.NodeException;
import io.quiver.protocol.Receipt;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/** The embedded cluster, with somebody who watches what its plans hold. */
final class PlannedCluster implements DemoCluster {
  private final EmbeddedCluster cluster;
  private final ResidencyWatch watch;

  private final SamplerKind sampler;

  private PlannedCluster(EmbeddedCluster cluster, SamplerKind sampler) {
    this.cluster = cluster;
    this.sampler = sampler;
    this.watch = new ResidencyWatch(cluster.manager());
  }

  /** Starts an empty cluster and waits until its manager plans for its server. */
  static PlannedCluster open(Path folder, long budgetBytes, PlannerKind planner)
      throws NodeException, InterruptedException {
    return new PlannedCluster(
        EmbeddedCluster.open(folder, budgetBytes, planner), SamplerKind.SUBSTITUTE);
  }

  /**
   * Starts an empty cluster with one space, shared by jobs that shuffle the whole data set.
   *
   * @param planner {@code LRU}, the cache of somebody who does not know how training reads, or
   *     {@code PINNED}, of somebody who knows and plans for each job alone
   */
  static PlannedCluster shared(Path folder, long budgetBytes, PlannerKind planner)
      throws NodeException, InterruptedException {
    return new PlannedCluster(
        EmbeddedCluster.open(folder, budgetBytes, planner), SamplerKind.STRICT);
  }

  /** Inserts the whole data set into the shared space, before the clock runs. */
  void fill(DatasetDigest digest, RemoteStore from, IntConsumer filled)
      throws IOException, BenchmarkException {
    long version = cluster.manager().plan().version();
    try (CacheClient client = CacheClient.connect(ClientConfig.of(cluster.servers()))) {
      for (int item = 0; item < digest.itemCount(); item++) {
        ByteBuffer content = ByteBuffer.allocate((int) digest.size(item));
        from.read(digest.objectName(digest.objectIndex(item)), digest.offset(item), content);
        Blob blob = new Blob(digest.hash(item), Plan.SHARED_SPACE, content.flip());
        Optional<Receipt> receipt = client.put(List.of(blob), version).receipts().getFirst();
        if (receipt.isEmpty() || !receipt.get().here()) {
          throw new BenchmarkException(
              "item "
                  + item
                  + " does not go into the cache: "
                  + receipt.map(Receipt::name).orElse("no answer")
                  + "; check the digest with quiver digest verify, and the free space in the folder"
                  + " of --dir");
        }
        filled.accept(item + 1);
      }
    }
  }

  @Override
  public void begin(long zeroNanos) {
    watch.begin(zeroNanos);
  }

  @Override
  public LoaderConfig join(LoaderConfig config) {
    return cluster.join(config).withSampler(sampler);
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
