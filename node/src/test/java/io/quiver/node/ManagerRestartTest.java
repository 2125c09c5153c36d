package io.quiver.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.http.ClientCredentials;
import io.quiver.http.Exchange;
import io.quiver.manager.CacheManager;
import io.quiver.manager.ManagerConfig;
import io.quiver.manager.ManagerServer;
import io.quiver.node.job.EpochResult;
import io.quiver.node.job.JobStart;
import io.quiver.node.job.JobSummary;
import io.quiver.node.job.TrainingJob;
import io.quiver.node.job.WarmResult;
import io.quiver.node.job.Warming;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.server.ServerConfig;
import io.quiver.server.plan.PlanSource;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdStoreConfig;
import io.quiver.testkit.Await;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real servers keep what nobody reads when their manager is replaced by one that knows nothing. */
@Timeout(300)
class ManagerRestartTest {
  private static final int ITEMS = 200;
  private static final int MAX_ITEM_BYTES = 10_000;
  private static final long PLAN_BYTES = 5_000_000;
  private static final int SERVERS = 2;

  @TempDir private Path folder;
  private final List<DataSet> opened = new ArrayList<>();
  private final List<HostedServer> servers = new ArrayList<>();
  private ManagerConfig config = ManagerConfig.DEFAULT.withBudget(PLAN_BYTES);
  private CacheManager manager;
  private ManagerServer front;

  /** A data set that jobs read. */
  private record DataSet(DigestFile digest, FileStore store) {
    DatasetKey key() {
      return DatasetKey.of(digest.digest().identity());
    }

    long items() {
      return digest.digest().itemCount();
    }
  }

  private DataSet make(String name, int items) throws Exception {
    Scene scene = Scene.make(folder.resolve(name), items, MAX_ITEM_BYTES);
    DataSet made = new DataSet(DigestFile.open(scene.digest()), FileStore.open(scene.data()));
    opened.add(made);
    return made;
  }

  @BeforeEach
  void startServers() throws Exception {
    startManager(0);
    for (int i = 0; i < SERVERS; i++) {
      HostedServer server =
          HostedServer.start(
              ServerConfig.on("127.0.0.1", 0).withName("server-" + i),
              SsdStoreConfig.of(List.of(Files.createTempDirectory(folder, "cache")), 32L << 20),
              RecoveryProgress.NONE);
      servers.add(server);
      server.follow(PlanSource.of(List.of(uri()), ClientCredentials.NONE));
    }
    awaitServers();
  }

  private void startManager(int port) throws Exception {
    manager = CacheManager.start(config);
    front =
        ManagerServer.start(
            ManagerServer.Listen.on("127.0.0.1", port),
            manager,
            exchange -> exchange.answer(200, Exchange.JSON, new byte[] {'{', '}'}));
  }

  private void awaitServers() {
    Await.until("the manager knows the servers", () -> manager.plan().members().size() == SERVERS);
  }

  private URI uri() {
    return URI.create("http://127.0.0.1:" + front.port());
  }

  /** Replaces the manager by one that knows nothing, at the same address. */
  private void restartManager() throws Exception {
    int port = front.port();
    front.close();
    manager.close();
    startManager(port);
  }

  @AfterEach
  void stop() throws Exception {
    for (HostedServer server : servers) {
      server.close();
    }
    front.close();
    manager.close();
    for (DataSet each : opened) {
      each.digest.close();
      each.store.close();
    }
  }

  private LoaderConfig job(String name, DataSet reads) {
    return LoaderConfig.of(name, reads.digest.digest(), reads.store)
        .withBatch(10)
        .withManager(uri());
  }

  private void train(String name, DataSet reads) throws Exception {
    try (JobStart start = JobStart.withoutLedger(job(name, reads).withEpochs(2))) {
      JobSummary _ = new TrainingJob(start, Duration.ofMillis(5), new Silence()).run();
    }
    awaitApplied();
  }

  private void warm(String name, DataSet brought) throws Exception {
    WarmResult _ = new Warming(job(name, brought), PLAN_BYTES, 0, progress -> {}).run();
    awaitApplied();
  }

  /** Waits until nobody runs and every server has applied the plan that followed. */
  private void awaitApplied() {
    Await.until(
        "the servers have applied the plan that followed",
        () ->
            manager.jobs().isEmpty()
                && manager.servers().size() == SERVERS
                && manager.servers().stream()
                    .allMatch(each -> each.planVersion() == manager.plan().version()));
  }

  /** Returns how many items of a data set all servers hold. */
  private long held(DataSet dataset) {
    return servers.stream()
        .flatMap(server -> server.store().spaces().stream())
        .filter(space -> space.space().name().contains(dataset.key().text()))
        .mapToLong(space -> space.blobs())
        .sum();
  }

  private static final class Silence implements TrainingJob.JobWatcher {
    @Override
    public void running(TrainingJob.EpochProgress now) {}

    @Override
    public void ended(EpochResult result) {}
  }

  @Test
  void idleWarmedAndPinnedDataStaysUntilSomebodyNeedsTheBytes() throws Exception {
    DataSet idle = make("idle", ITEMS);
    DataSet warmed = make("warmed", ITEMS + 1);
    DataSet pinned = make("pinned", ITEMS + 2);
    config = config.withPreferences(CachePreferences.NONE.with(pinned.key(), CachePreference.PIN));
    restartManager();
    awaitServers();
    train("reader", idle);
    warm("warmer", warmed);
    warm("pinner", pinned);
    long read = held(idle);
    assertThat(read).as("read").isGreaterThan(idle.items() * 9 / 10);
    assertThat(held(warmed)).as("warmed").isEqualTo(warmed.items());
    assertThat(held(pinned)).as("pinned").isEqualTo(pinned.items());

    restartManager();
    train("newcomer", make("small", 20));
    assertThat(held(idle)).as("read before").isEqualTo(read);
    assertThat(held(warmed)).as("warmed before").isEqualTo(warmed.items());
    assertThat(held(pinned)).as("pinned before").isEqualTo(pinned.items());

    DataSet large = make("large", 4 * ITEMS);
    train("needy", large);
    assertThat(held(large)).as("needs the bytes").isGreaterThan(large.items() / 4);
    assertThat(held(pinned)).as("pinned nevertheless").isEqualTo(pinned.items());
    assertThat(held(idle) + held(warmed)).as("the others gave way").isLessThan(read);
  }
}
