package io.quiver.cli.demo.run;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.node.Capacity;
import io.quiver.cli.node.HostedServer;
import io.quiver.cli.node.Node;
import io.quiver.cli.node.NodeConfig;
import io.quiver.cli.node.RawRoom;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.plan.Caching;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.Wishes;
import io.quiver.core.sampling.SamplerKind;
import io.quiver.manager.CacheManager;
import io.quiver.manager.Refused;
import io.quiver.store.ssd.RecoveryProgress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The embedded cluster of {@code quiver up}: a cache server and the manager it follows. Plans may
 * fill exactly the budget, whatever the disk offers.
 */
final class PlannedCluster implements DemoCluster {
  private static final String HOST = "127.0.0.1";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 20;

  private final Node node;
  private final ResidencyWatch watch;

  private PlannedCluster(Node node) {
    this.node = node;
    this.watch = new ResidencyWatch(node.manager());
  }

  /** Starts an empty cluster and waits until its manager plans for its server. */
  static PlannedCluster open(Path folder, long budgetBytes, PlannerKind planner)
      throws CommandFailure, InterruptedException {
    NodeConfig config =
        new NodeConfig(
                HOST,
                0,
                1,
                List.of(folder),
                new Capacity.Absolute(RawRoom.bytes(budgetBytes)),
                Optional.empty())
            .withPlanBytes(budgetBytes)
            .withPlanner(planner, Wishes.NONE);
    Node node = Node.start(config, InstantSource.system(), RecoveryProgress.NONE);
    try {
      awaitPlanning(node.manager());
      return new PlannedCluster(node);
    } catch (CommandFailure | InterruptedException | RuntimeException e) {
      node.close();
      throw e;
    }
  }

  private static void awaitPlanning(CacheManager manager)
      throws CommandFailure, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (manager.plan().members().isEmpty() || !plans(manager)) {
      if (System.nanoTime() > deadline) {
        throw new CommandFailure(
            ExitCode.FAILED,
            "the embedded manager did not plan within "
                + PATIENCE.toSeconds()
                + " s; run with --verbose to see why");
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private static boolean plans(CacheManager manager) throws InterruptedException {
    try {
      return manager.awaitServers(0, Duration.ofMillis(PAUSE_MILLIS)).version() > 0;
    } catch (Refused e) {
      return false;
    }
  }

  @Override
  public void begin(long zeroNanos) {
    watch.begin(zeroNanos);
  }

  @Override
  public LoaderConfig join(LoaderConfig config) {
    return config
        .withCaching(Caching.PLANNED)
        .withSampler(SamplerKind.SUBSTITUTE)
        .withServers(node.servers().stream().map(HostedServer::uri).toList())
        .withManager(node.uri());
  }

  @Override
  public List<ResidencyChange> residency() {
    return watch.changes();
  }

  @Override
  public void close() {
    watch.close();
    node.close();
  }
}
