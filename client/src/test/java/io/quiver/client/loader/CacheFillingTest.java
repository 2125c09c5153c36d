package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.remote.CountingStore;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.throttle.Throttle;
import io.quiver.remote.throttle.ThrottledStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks with real servers that the first epoch of one job fills the cache for its second. */
class CacheFillingTest {
  private static final int ITEMS = 3000;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"1, true", "1, false", "4, true", "4, false"})
  @Timeout(240)
  void theSecondEpochReadsNothingThatTheFirstHasRead(int servers, boolean slow) {
    TestDataset data = TestDataset.make(folder, ITEMS, 8000, 11);
    long bytes = data.digest().totalBytes();
    try (TestCluster cluster = new TestCluster(servers, 8 * bytes);
        CountingStore store = new CountingStore(slow ? throttled(data.store()) : data.store());
        BatchLoader loader =
            BatchLoader.open(
                LoaderConfig.of("job", data.digest(), store)
                    .withBatch(16)
                    .withEpochs(2)
                    .withManager(cluster.manager()))) {
      Await.until("there is a plan", () -> loader.plan().isPresent());
      try (LoadedEpoch first = loader.epoch(0)) {
        new Deliveries(data).drain(first, () -> {});
      }
      long firstReads = store.counts().reads();
      try (LoadedEpoch second = loader.epoch(1)) {
        new Deliveries(data).drain(second, () -> {});
        // Items still on their way into the cache are no hits, but nobody reads them again either.
        assertThat(store.counts().reads() - firstReads)
            .as("second epoch %s, both %s", second.statistics(), loader.statistics())
            .isLessThanOrEqualTo(ITEMS / 100);
      }
      assertThat(firstReads).as("each item once").isLessThanOrEqualTo(ITEMS + ITEMS / 200);
    }
  }

  @Test
  @Timeout(240)
  void whatAServerRefusesBeforeItHearsOfThePlanIsOfferedAgain() throws IOException {
    TestDataset data = TestDataset.make(folder, 200, 2000, 13);
    try (TestCluster cluster = new TestCluster(1, 8 * data.digest().totalBytes());
        CountingStore store = new CountingStore(data.store())) {
      cluster.deafen(true);
      LoaderConfig job =
          LoaderConfig.of("job", data.digest(), store).withBatch(16).withManager(cluster.manager());
      try (BatchLoader loader = BatchLoader.open(job)) {
        new Deliveries(data).drain(loader.epoch(0), () -> {});
        Await.until("the server refuses", () -> refused(cluster.servers().getFirst()) > 0);
        cluster.deafen(false);
        Await.until("all is cached", () -> loader.statistics().store().inserted() == data.items());
        assertThat(store.counts().reads()).isEqualTo(data.items());
      }
    }
  }

  private static long refused(URI server) throws IOException {
    try (InputStream metrics = server.resolve("/metrics").toURL().openStream()) {
      return new String(metrics.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.matches("quiver_\\w*blobs_refused_total\\b.* [1-9][0-9.]*"))
          .count();
    }
  }

  @Test
  @Timeout(240)
  void theProcessesOfOneJobPinWhatFitsAndNoneOfItRotates() throws Exception {
    TestDataset data = TestDataset.make(folder, ITEMS, 2000, 12);
    try (TestCluster cluster = new TestCluster(1, data.digest().totalBytes() / 2);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      LoaderConfig job =
          LoaderConfig.of("job", data.digest(), data.store())
              .withBatch(16)
              .withEpochs(2)
              .withManager(cluster.manager());
      Deliveries deliveries = new Deliveries(data);
      try (BatchLoader first = BatchLoader.open(job.withRank(0, 2));
          BatchLoader second = BatchLoader.open(job.withRank(1, 2))) {
        List<Future<?>> ranks =
            List.of(
                threads.submit(() -> train(first, 0, deliveries)),
                threads.submit(() -> train(second, 1, deliveries)));
        for (Future<?> rank : ranks) {
          rank.get();
        }
        assertThat(first.plan().orElseThrow().dataset())
            .matches(plan -> !plan.ring() && !plan.held().isEmpty());
        assertThat(cluster.managerNow().review().jobs())
            .singleElement()
            .satisfies(diagnosis -> {
              assertThat(diagnosis.job()).isEqualTo("job");
              assertThat(diagnosis.members()).containsExactly("job.r0", "job.r1");
            });
      }
      deliveries.requireExactlyOnce(2, "two ranks");
    }
  }

  private static void train(BatchLoader loader, int rank, Deliveries deliveries) {
    for (int epoch = 0; epoch < 2; epoch++) {
      deliveries.drain(loader.epoch(epoch, rank), () -> {});
    }
  }

  private static RemoteStore throttled(RemoteStore store) {
    return new ThrottledStore(
        store,
        Throttle.realTime(
            4_000_000, new Throttle.Latency(Duration.ofMillis(2), Duration.ofMillis(2), 1)));
  }
}
