package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.Lookup;
import io.quiver.client.testing.Frames;
import io.quiver.client.transport.ServerLink;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.Wire;
import io.quiver.testkit.Await;
import io.quiver.testkit.HostileServer;
import io.quiver.testkit.LogCapture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks one fault at a time around one job: no sample is lost or doubled. */
@Timeout(240)
class LoaderFaultsTest {
  private static final int ITEMS = 400;
  private static final int BATCH = 16;
  private static final int BATCHES = ITEMS / BATCH;

  @TempDir Path folder;
  private TestDataset data;
  private Deliveries deliveries;

  @BeforeEach
  void makeData() {
    data = TestDataset.make(folder, ITEMS, 2000, 7);
    deliveries = new Deliveries(data);
  }

  private LoaderConfig job(FaultyStore.Fault fault) {
    return LoaderConfig.of("job", data.digest(), new FaultyStore(data.store(), fault))
        .withBatch(BATCH)
        .withSeed(3);
  }

  private LoaderConfig job() {
    return LoaderConfig.of("job", data.digest(), data.store()).withBatch(BATCH).withSeed(3);
  }

  @Test
  void aReadThatHangsHoldsUpItsOwnBatchOnly() {
    CountDownLatch stalled = new CountDownLatch(1);
    LoaderConfig config =
        job((name, target, proper) -> {
          if (name.equals(TestDataset.name(9))) {
            await(stalled);
          }
          proper.run();
        });
    try (BatchLoader loader = BatchLoader.open(config);
        LoadedEpoch epoch = loader.epoch(0)) {
      assertThat(deliveries.take(epoch, BATCHES - 1)).isEqualTo(BATCHES - 1);
      stalled.countDown();
      deliveries.drain(epoch, () -> {});
    }
    deliveries.requireExactlyOnce(1, "a hanging read");
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new IOException("the test did not go on");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Test
  void aStoreThatResetsConnectionsFailsABatchWhoseItemsComeAgain() {
    failsTwiceThenGoesOn("connection reset by peer");
  }

  @Test
  void aStoreThatAnswersWithServerErrorsFailsABatchWhoseItemsComeAgain() {
    failsTwiceThenGoesOn("the store answered 500");
  }

  /** Each read is repeated once: so one that fails twice fails its batch. */
  private void failsTwiceThenGoesOn(String reason) {
    ConcurrentHashMap<String, Integer> attempts = new ConcurrentHashMap<>();
    LoaderConfig config =
        job((name, target, proper) -> {
          if (name.equals(TestDataset.name(9)) && attempts.merge(name, 1, Integer::sum) <= 2) {
            throw new IOException(reason);
          }
          proper.run();
        });
    try (BatchLoader loader = BatchLoader.open(config);
        LoadedEpoch epoch = loader.epoch(0)) {
      assertThatThrownBy(() -> deliveries.drain(epoch, () -> {}))
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("item 9 ('item-9' in file:")
          .hasMessageContaining(reason);
      deliveries.drain(epoch, () -> {});
    }
    deliveries.requireExactlyOnce(1, reason);
  }

  @Test
  void anotherDataSetUnderTheSameNameDisturbsNobody() {
    TestDataset other = TestDataset.make(folder.resolve("other"), 50, 100, 8);
    try (TestCluster cluster = new TestCluster(1, 1 << 20);
        BatchLoader first = BatchLoader.open(job().withManager(cluster.manager()))) {
      LoaderConfig second =
          LoaderConfig.of("job", other.digest(), other.store()).withManager(cluster.manager());
      Deliveries others = new Deliveries(other);
      try (BatchLoader renamed = BatchLoader.open(second)) {
        others.drain(renamed.epoch(0), () -> {});
      }
      others.requireExactlyOnce(1, "the second of two");
      deliveries.drain(first.epoch(0), () -> {});
    }
    deliveries.requireExactlyOnce(1, "the first of two");
  }

  @Test
  void twoJobsWithOneNameDoNotDisturbTheFirst() {
    try (TestCluster cluster = new TestCluster(1, 1 << 20);
        BatchLoader first = BatchLoader.open(job().withManager(cluster.manager()))) {
      LoadedEpoch epoch = first.epoch(0);
      deliveries.take(epoch, 3);
      try (BatchLoader second = BatchLoader.open(job().withManager(cluster.manager()))) {
        assertThat(second.plan()).as("the second job's plan").isPresent();
      }
      deliveries.drain(epoch, () -> {});
    }
    deliveries.requireExactlyOnce(1, "the first of two");
  }

  @Test
  void withAllServersGoneForGoodItReadsFromTheStoreAndSaysSoOnce() {
    List<String> warnings;
    try (LogCapture said = LogCapture.warnings(CacheAccess.class);
        TestCluster cluster = new TestCluster(2, data.digest().totalBytes() / 2);
        BatchLoader loader = BatchLoader.open(job().withEpochs(3).withManager(cluster.manager()))) {
      // A job that is over its first epoch before it was told of any chunk would not ask the cache.
      Await.until(
          "chunks are planned",
          () -> loader.plan().map(plan -> plan.dataset() != null).orElse(false));
      deliveries.drain(loader.epoch(0), () -> {});
      cluster.killManager();
      cluster.kill(0);
      cluster.kill(1);
      deliveries.drain(loader.epoch(1), () -> {});
      deliveries.drain(loader.epoch(2), () -> {});
      cluster.reviveManager();
      warnings = said.messages();
    }
    deliveries.requireExactlyOnce(3, "without servers");
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("no cache server answers")
        .contains("reading from the store");
  }

  @Test
  void aServerThatForgesBytesIsFoundOutAndItsItemsComeFromTheStore() throws Exception {
    HostileServer.Script impostor =
        c -> {
          while (true) {
            AskFrame ask = Frames.ask(c.request());
            boolean lookup = c.line().contains(Wire.LOOKUP_PATH);
            c.answer(lookup ? Frames.found(ask) : Frames.hits(ask, new byte[5]));
          }
        };
    try (LogCapture said = LogCapture.warnings(ServerLink.class);
        HostileServer forged = new HostileServer(impostor);
        TestCluster cluster = new TestCluster(1, 2 * data.digest().totalBytes())) {
      ServerReport joins =
          new ServerReport("forged", "x", forged.uri().toString(), 1L << 30, Map.of(), 0, false);
      cluster.managerNow().report(joins);
      LoaderConfig config = job().withEpochs(2).withManager(cluster.manager());
      try (BatchLoader loader = BatchLoader.open(config)) {
        Await.until(
            "the plan has both",
            () -> loader.plan().filter(plan -> plan.members().size() == 2).isPresent());
        deliveries.drain(loader.epoch(0), () -> {});
        deliveries.drain(loader.epoch(1), () -> {});
      }
      deliveries.requireExactlyOnce(2, "beside a forging server");
      assertThat(said.messages()).singleElement().asString().contains("sent wrong bytes");
    }
  }

  @Test
  void aJobThatIsClosedLeavesNoClaimsBehind() throws Exception {
    CountDownLatch reading = new CountDownLatch(20);
    CountDownLatch closing = new CountDownLatch(1);
    LoaderConfig warming =
        job((name, target, proper) -> {
          reading.countDown();
          if (reading.getCount() == 0) {
            await(closing);
          }
          proper.run();
        });
    try (TestCluster cluster = new TestCluster(1, 2 * data.digest().totalBytes())) {
      BatchLoader loader =
          BatchLoader.open(warming.withWarming(true).withManager(cluster.manager()));
      await(reading);
      Thread closer = Thread.ofPlatform().start(loader::close);
      while (closer.getState() != Thread.State.TIMED_WAITING && closer.isAlive()) {
        Thread.onSpinWait();
      }
      closing.countDown();
      closer.join();
      List<ContentHash> all = IntStream.range(0, ITEMS).mapToObj(data.digest()::hash).toList();
      try (CacheClient other =
          CacheClient.connect(ClientConfig.of(cluster.servers()).withJob("other"))) {
        Lookup lookup = other.lookup(all, true);
        assertThat(lookup.statuses()).contains(AskStatus.HIT).doesNotContain(AskStatus.PENDING);
      }
    }
  }
}
