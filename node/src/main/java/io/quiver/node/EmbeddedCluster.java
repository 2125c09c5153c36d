package io.quiver.node;

import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.plan.Caching;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.manager.CacheManager;
import io.quiver.store.ssd.RecoveryProgress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A whole cluster inside a program that has jobs of its own: a cache server and the manager it
 * follows, on free ports. Plans may fill exactly the budget, whatever the disk offers.
 */
public final class EmbeddedCluster implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 20;

  private final Node node;

  private EmbeddedCluster(Node node) {
    this.node = node;
  }

  /**
   * Starts a cluster and waits until its manager plans for its server.
   *
   * @param folder where the cache lies; an empty one for an empty cache
   * @param budgetBytes what plans may fill
   */
  public static EmbeddedCluster open(Path folder, long budgetBytes, PlannerKind planner)
      throws NodeException, InterruptedException {
    NodeConfig config =
        new NodeConfig(
                HOST,
                0,
                1,
                List.of(folder),
                new Capacity.Absolute(DiskOverhead.bytes(diskBytes(budgetBytes, planner))),
                Optional.empty())
            .withPlanBytes(budgetBytes)
            .withPlanner(planner, CachePreferences.NONE);
    Node node = Node.start(config, InstantSource.system(), RecoveryProgress.NONE);
    try {
      awaitPlanning(node.manager());
      return new EmbeddedCluster(node);
    } catch (NodeException | InterruptedException | RuntimeException e) {
      node.close();
      throw e;
    }
  }

  /**
   * Returns the bytes of blobs that the disk must take for a budget. A cache that evicts single
   * blobs needs slack beside what it keeps.
   */
  private static long diskBytes(long budgetBytes, PlannerKind planner) {
    return planner == PlannerKind.LRU ? 2 * budgetBytes : budgetBytes;
  }

  private static void awaitPlanning(CacheManager manager)
      throws NodeException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (manager.plan().members().isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new NodeException(
            "the embedded manager did not plan within "
                + PATIENCE.toSeconds()
                + " s; its log, at level DEBUG, says what it waits for");
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Returns the configuration of a job's loader, told to use this cache as its plans say. */
  public LoaderConfig join(LoaderConfig config) {
    return config.withCaching(Caching.PLANNED).withServers(servers()).withManager(node.uri());
  }

  /** Returns the addresses of the cache servers. */
  public List<URI> servers() {
    return node.servers().stream().map(HostedServer::uri).toList();
  }

  /** Returns where jobs find it. */
  public URI uri() {
    return node.uri();
  }

  /** Returns the cache manager. */
  public CacheManager manager() {
    return node.manager();
  }

  /** Stops the cluster. */
  @Override
  public void close() {
    node.close();
  }

  /**
   * Computes the bytes of disk that a store needs for a number of bytes of blobs, with its reserve
   * and padding. The budget of a cache is not this, but the bytes of blobs.
   */
  public static final class DiskOverhead {
    private static final long LEAST = 256L << 20;

    private DiskOverhead() {}

    /** Bytes of disk for so many bytes of blobs. */
    public static long bytes(long blobBytes) {
      return Math.max(LEAST, 3 * blobBytes);
    }
  }
}
