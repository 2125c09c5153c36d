package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.client.link.ManagerHealth;
import io.quiver.client.loader.Batch.ItemSource;
import io.quiver.client.loader.LoaderConfig.OnMismatch;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.EqualSteps;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.remote.CountingStore;
import io.quiver.testkit.Await;
import io.quiver.testkit.LogCapture;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class BatchLoaderTest {
  @TempDir Path folder;
  private TestDataset data;
  private LoaderConfig plain;

  @BeforeEach
  void makeData() {
    data = TestDataset.make(folder, 500, 2000, 7);
    plain = LoaderConfig.of("job", data.digest(), data.store()).withBatch(16).withSeed(3);
  }

  private void runWhole(LoaderConfig config, String what) {
    Deliveries deliveries = new Deliveries(data);
    try (BatchLoader loader = BatchLoader.open(config)) {
      for (int epoch = 0; epoch < config.epochs(); epoch++) {
        deliveries.drain(loader.epoch(epoch), () -> {});
      }
      assertThat(loader.statistics().delivered().items())
          .isEqualTo((long) config.epochs() * data.items());
    }
    deliveries.requireExactlyOnce(config.epochs(), what);
  }

  @Test
  void everySamplerDeliversEachItemOnceFromTheStoreAlone() {
    for (SamplerKind kind : SamplerKind.values()) {
      runWhole(plain.withSampler(kind).withEpochs(2), kind.text());
    }
  }

  @Test
  void strictOrderIsTheSameWhateverTheCacheHolds() {
    List<Integer> alone = order(plain.withSampler(SamplerKind.STRICT));
    try (TestCluster cluster = new TestCluster(2, data.digest().totalBytes())) {
      LoaderConfig cached =
          plain.withSampler(SamplerKind.STRICT).withManager(cluster.manager()).withEpochs(2);
      assertThat(order(cached)).isEqualTo(alone);
      assertThat(order(cached)).isEqualTo(alone);
    }
  }

  private List<Integer> order(LoaderConfig config) {
    List<Integer> items = new ArrayList<>();
    try (BatchLoader loader = BatchLoader.open(config);
        LoadedEpoch epoch = loader.epoch(0)) {
      Optional<Batch> batch = epoch.next();
      while (batch.isPresent()) {
        Arrays.stream(batch.get().items()).forEach(items::add);
        batch.get().close();
        batch = epoch.next();
      }
    }
    return items;
  }

  @Test
  void aSharedSpaceServesTheSecondEpochFromTheCache() {
    long bytes = data.digest().totalBytes() * 3 / 2;
    try (TestCluster cluster = new TestCluster(2, bytes, PlannerKind.LRU);
        CountingStore store = new CountingStore(data.store())) {
      LoaderConfig config =
          LoaderConfig.of("lru", data.digest(), store)
              .withBatch(16)
              .withEpochs(2)
              .withManager(cluster.manager())
              .withSampler(SamplerKind.STRICT);
      runWhole(config, "lru");
      assertThat(store.counts().reads()).isBetween(500L, 600L);
    }
  }

  @Test
  void whatFitsComesFromTheCacheAloneInTheEnd() {
    int most = 200;
    try (TestCluster cluster = new TestCluster(2, 2 * data.digest().totalBytes());
        BatchLoader loader =
            BatchLoader.open(plain.withEpochs(most).withManager(cluster.manager()))) {
      double ratio = 0;
      for (int number = 0; number < most && ratio < 1; number++) {
        LoadedEpoch epoch = loader.epoch(number);
        new Deliveries(data).drain(epoch, () -> {});
        ratio = epoch.statistics().delivered().hitRatio();
      }
      assertThat(ratio).isEqualTo(1.0);
      assertThat(loader.statistics().store().duplicates()).isLessThan(5);
    }
  }

  @Test
  void stateCountsWhatWasHandedOutOnly() {
    try (BatchLoader loader = BatchLoader.open(plain);
        LoadedEpoch epoch = loader.epoch(0)) {
      new Deliveries(data).take(epoch, 5);
      assertThat(loader.state().deliveredItems()).isEqualTo(5 * 16);
      assertThat(epoch.state()).isEqualTo(loader.state());
    }
  }

  @Test
  void stateCountsABatchOnlyAfterTheListenerHasIt() {
    AtomicInteger told = new AtomicInteger();
    AtomicReference<BatchLoader> opened = new AtomicReference<>();
    LoaderConfig config =
        plain.withListener((epoch, rank, items) -> {
          assertThat(opened.get().state().deliveredItems()).isEqualTo(told.get());
          told.addAndGet(items.length);
          if (told.get() > 100) {
            throw new IllegalStateException("the ledger's disk is full");
          }
        });
    try (BatchLoader loader = BatchLoader.open(config);
        LoadedEpoch epoch = loader.epoch(0)) {
      opened.set(loader);
      assertThatThrownBy(() -> new Deliveries(data).drain(epoch, () -> {}))
          .hasMessageContaining("disk is full");
      assertThat(loader.state().deliveredItems()).isEqualTo(100 / 16 * 16);
    }
  }

  @Test
  void goesOnWithAnotherNumberOfRanks() throws InterruptedException {
    Deliveries deliveries = new Deliveries(data);
    EpochState state;
    try (BatchLoader loader = BatchLoader.open(plain.withRanks(0, 3, 3))) {
      for (int rank = 0; rank < 3; rank++) {
        deliveries.take(loader.epoch(0, rank), 2 + rank);
      }
      state = loader.state();
    }
    assertThat(state.deliveredItems()).isEqualTo(9 * 16);
    LoaderConfig more = plain.withRanks(0, 2, 2).withResume(state).withEpochs(2);
    try (BatchLoader loader = BatchLoader.open(more)) {
      for (int epoch = 0; epoch < 2; epoch++) {
        deliveries.drain(loader.epoch(epoch, 0), () -> {});
        deliveries.drain(loader.epoch(epoch, 1), () -> {});
      }
    }
    deliveries.requireExactlyOnce(2, "resumed");
  }

  @Test
  void separateProcessesOfOneJobShareTheEpoch() {
    Deliveries deliveries = new Deliveries(data);
    try (TestCluster cluster = new TestCluster(1, data.digest().totalBytes() / 2);
        BatchLoader first = BatchLoader.open(plain.withRank(0, 2));
        BatchLoader second =
            BatchLoader.open(plain.withRank(1, 2).withManager(cluster.manager()))) {
      deliveries.drain(first.epoch(0), () -> {});
      deliveries.drain(second.epoch(0, 1), () -> {});
      Await.until("the manager plans for one of two", () -> second.plan().isPresent());
    }
    deliveries.requireExactlyOnce(1, "processes");
  }

  @Test
  void separateProcessesOfOneJobReportOneGroup() {
    try (TestCluster cluster = new TestCluster(1, data.digest().totalBytes() / 2)) {
      LoaderConfig config = plain.withManager(cluster.manager());
      try (BatchLoader first = BatchLoader.open(config.withRank(0, 2));
          BatchLoader second = BatchLoader.open(config.withRank(1, 2))) {
        assertThat(first).isNotSameAs(second);
        Await.until("both have reported", () -> cluster.managerNow().jobs().size() == 2);
        assertThat(cluster.managerNow().jobs())
            .allMatch(report -> report.group().equals("job"))
            .extracting(JobReport::job)
            .containsExactlyInAnyOrder("job.r0", "job.r1");
        assertThat(cluster.managerNow().review().jobs())
            .as("one job to the planner")
            .singleElement()
            .matches(diagnosis -> diagnosis.members().size() == 2);
      }
    }
  }

  @Test
  void aJobFollowsTheFirstManagerThatAnswers() throws Exception {
    URI nobody;
    try (ServerSocket socket = new ServerSocket(0)) {
      nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
    try (TestCluster cluster = new TestCluster(1, data.digest().totalBytes());
        BatchLoader loader =
            BatchLoader.open(plain.withManagers(List.of(nobody, cluster.manager())))) {
      Await.until("there is a plan", () -> loader.plan().isPresent());
    }
  }

  @Test
  void ranksTakeEquallyManyStepsWithPaddingThatIsSaidToBeSo() {
    TestDataset odd = TestDataset.make(folder.resolve("odd"), 3 * 32 + 1, 500, 7);
    for (SamplerKind kind : SamplerKind.values()) {
      LoaderConfig config =
          LoaderConfig.of("pad", odd.digest(), odd.store())
              .withBatch(16)
              .withSampler(kind)
              .withRanks(0, 3, 3)
              .withEqualSteps(EqualSteps.PAD);
      int[] times = new int[odd.items()];
      int padded = 0;
      try (BatchLoader loader = BatchLoader.open(config)) {
        for (int rank = 0; rank < 3; rank++) {
          List<Batch> batches = all(loader.epoch(0, rank));
          assertThat(batches).as(kind + ", rank " + rank).hasSize(3);
          for (Batch batch : batches) {
            for (int place = 0; place < batch.size(); place++) {
              times[batch.item(place)] += batch.isPadding(place) ? 0 : 1;
              padded += batch.isPadding(place) ? 1 : 0;
            }
          }
        }
        assertThat(loader.state().deliveredItems()).isEqualTo(odd.items());
      }
      assertThat(times).as(kind.text()).containsOnly(1);
      assertThat(padded).as(kind.text()).isEqualTo(2);
    }
  }

  @Test
  void ranksTakeEquallyManyStepsWithSomeItemsLeftOut() {
    TestDataset odd = TestDataset.make(folder.resolve("odd"), 3 * 32 + 2, 500, 7);
    LoaderConfig config =
        LoaderConfig.of("drop", odd.digest(), odd.store())
            .withBatch(16)
            .withRanks(0, 3, 3)
            .withEqualSteps(EqualSteps.DROP);
    try (BatchLoader loader = BatchLoader.open(config)) {
      for (int rank = 0; rank < 3; rank++) {
        assertThat(all(loader.epoch(0, rank))).as("rank " + rank).hasSize(2);
      }
      assertThat(loader.state().deliveredItems()).isEqualTo(3 * 32);
    }
  }

  private static List<Batch> all(LoadedEpoch epoch) {
    List<Batch> batches = new ArrayList<>();
    Optional<Batch> batch = epoch.next();
    while (batch.isPresent()) {
      batches.add(batch.get());
      batch.get().close();
      batch = epoch.next();
    }
    return batches;
  }

  @Test
  void homogeneousBatchesAreWholeEpochsTooAndNotForStrictOrder() {
    runWhole(plain.withHomogeneous(true).withEpochs(2), "homogeneous");
    assertThatThrownBy(() -> plain.withHomogeneous(true).withSampler(SamplerKind.STRICT))
        .hasMessageContaining("substitute");
  }

  @Test
  void whatWasWarmedComesFromTheCacheFromTheFirstBatchOn() throws InterruptedException {
    try (TestCluster cluster = new TestCluster(2, 2 * data.digest().totalBytes())) {
      LoaderConfig cached = plain.withManager(cluster.manager());
      try (BatchLoader warm = BatchLoader.open(cached.withJob("warm").withWarming(true))) {
        Await.until(
            "everything is warm",
            () -> warm.plan().map(JobPlan::dataset).filter(BatchLoaderTest::isWhole).isPresent());
        assertThat(warm.statistics().store().reads()).isEqualTo(data.items());
        assertThatThrownBy(() -> warm.epoch(0)).hasMessageContaining("only warms");
      }
      try (BatchLoader loader = BatchLoader.open(cached);
          LoadedEpoch epoch = loader.epoch(0)) {
        new Deliveries(data).drain(epoch, () -> {});
        assertThat(epoch.statistics().delivered().hitRatio()).isEqualTo(1);
        assertThat(loader.statistics().store().reads()).isZero();
      }
    }
  }

  private static boolean isWhole(DatasetPlan plan) {
    return plan.pinnedIsWhole() && plan.held().size() == plan.chunks();
  }

  @Test
  void dropsAShortLastBatchWhenAskedTo() {
    try (BatchLoader loader = BatchLoader.open(plain.withDropLast(true));
        LoadedEpoch epoch = loader.epoch(0)) {
      assertThat(new Deliveries(data).take(epoch, 100)).isEqualTo(500 / 16);
    }
  }

  @Test
  void aMissingItemFailsItsBatchAndNoOther() throws IOException {
    Files.delete(data.file(123));
    Deliveries deliveries = new Deliveries(data);
    try (BatchLoader loader = BatchLoader.open(plain);
        LoadedEpoch epoch = loader.epoch(0)) {
      assertThatThrownBy(() -> deliveries.drain(epoch, () -> {}))
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("item 123 ('item-123' in file:")
          .hasMessageContaining("make the digest again");
      Files.write(data.file(123), data.content(123));
      drainPast("item 123", deliveries, epoch);
    }
    deliveries.requireExactlyOnce(1, "repaired");
  }

  /** Reads that began before the repair may still fail. */
  private static void drainPast(String item, Deliveries deliveries, LoadedEpoch epoch) {
    for (int late = 0; late < 32; late++) {
      try {
        deliveries.drain(epoch, () -> {});
        return;
      } catch (LoadException e) {
        assertThat(e).hasMessageContaining(item);
      }
    }
    throw new AssertionError(item + " is not read although it is there again");
  }

  @Test
  void aForbiddenItemNamesTheCredentials() {
    FaultyStore store =
        new FaultyStore(
            data.store(),
            (name, target, proper) -> {
              throw new AccessDeniedException(name);
            });
    try (BatchLoader loader = BatchLoader.open(LoaderConfig.of("j", data.digest(), store));
        LoadedEpoch epoch = loader.epoch(0)) {
      assertThatThrownBy(epoch::next)
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("credentials");
    }
  }

  @Test
  void aReadThatFailsOrLiesOnceIsRepeated() {
    ConcurrentHashMap<String, Integer> attempts = new ConcurrentHashMap<>();
    FaultyStore store =
        new FaultyStore(
            data.store(),
            (name, target, proper) -> {
              int attempt = attempts.merge(name, 1, Integer::sum);
              if (attempt == 1 && name.hashCode() % 2 == 0) {
                throw new IOException("connection reset");
              }
              proper.run();
              if (attempt == 1) {
                target.put(0, (byte) (target.get(0) + 1));
              }
            });
    runWhole(LoaderConfig.of("j", data.digest(), store).withBatch(32), "flaky");
  }

  @Test
  void aChangedItemIsServedButNeverInsertedUnderTheOldName() throws IOException {
    Files.write(data.file(5), new byte[data.content(5).length]);
    try (TestCluster cluster = new TestCluster(1, 2 * data.digest().totalBytes());
        BatchLoader loader = BatchLoader.open(plain.withManager(cluster.manager()).withEpochs(2))) {
      for (int number = 0; number < 2; number++) {
        try (LoadedEpoch epoch = loader.epoch(number)) {
          Optional<Batch> batch = epoch.next();
          while (batch.isPresent()) {
            for (int i = 0; i < batch.get().size(); i++) {
              if (batch.get().item(i) == 5) {
                assertThat(batch.get().bytes(i).get(0)).isZero();
                assertThat(batch.get().source(i)).isEqualTo(ItemSource.STORE);
              }
            }
            batch.get().close();
            batch = epoch.next();
          }
        }
      }
      assertThat(loader.statistics().delivered().items()).isEqualTo(1000);
    }
  }

  @Test
  void aStoreThatChangedAltogetherDoesNotFillTheLog() throws IOException {
    for (int item = 0; item < data.items(); item++) {
      Files.write(data.file(item), new byte[data.content(item).length]);
    }
    try (LogCapture said = LogCapture.warnings(ItemReader.class);
        BatchLoader loader = BatchLoader.open(plain);
        LoadedEpoch epoch = loader.epoch(0)) {
      Optional<Batch> batch = epoch.next();
      while (batch.isPresent()) {
        batch.get().close();
        batch = epoch.next();
      }
      assertThat(data.items()).isGreaterThan(100);
      assertThat(said.messages()).hasSizeBetween(10, 20).first().asString().contains("changed");
    }
  }

  @Test
  void aChangedItemIsRefusedWhenAskedTo() throws IOException {
    Files.write(data.file(5), new byte[data.content(5).length]);
    LoaderConfig strict = plain.withOnMismatch(OnMismatch.REFUSE);
    try (BatchLoader loader = BatchLoader.open(strict);
        LoadedEpoch epoch = loader.epoch(0)) {
      assertThatThrownBy(() -> new Deliveries(data).drain(epoch, () -> {}))
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("item 5 ")
          .hasMessageContaining("changed");
    }
  }

  @Test
  void aSecondJobOfTheSameNameGoesOnUnderAnotherName() {
    try (TestCluster cluster = new TestCluster(1, 1 << 20);
        BatchLoader first = BatchLoader.open(plain.withManager(cluster.manager()))) {
      assertThat(first.statistics().delivered().items()).isZero();
      try (LogCapture said = LogCapture.warnings(ManagerHealth.class);
          BatchLoader second = BatchLoader.open(plain.withManager(cluster.manager()))) {
        String name = second.config().job();
        assertThat(name).matches(plain.job() + "-[0-9a-f]{8}");
        assertThat(second.plan()).isPresent();
        assertThat(said.messages()).singleElement().asString().contains("choose another name");
      }
    }
  }

  @Test
  void aJobThatLeftGivesItsNameFree() {
    try (TestCluster cluster = new TestCluster(1, 1 << 20)) {
      for (int i = 0; i < 3; i++) {
        BatchLoader.open(plain.withManager(cluster.manager())).close();
      }
    }
  }

  @Test
  void readsStayWithinTheirBounds() {
    AtomicInteger active = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    FaultyStore store =
        new FaultyStore(
            data.store(),
            (name, target, proper) -> {
              most.accumulateAndGet(active.incrementAndGet(), Math::max);
              proper.run();
              active.decrementAndGet();
            });
    runWhole(LoaderConfig.of("j", data.digest(), store).withReads(new StoreReads(3, 1)), "bounded");
    assertThat(most.get()).isBetween(1, 3);
  }

  @Test
  void everyBatchIsToldToTheListener() {
    AtomicInteger told = new AtomicInteger();
    runWhole(plain.withListener((epoch, rank, items) -> told.addAndGet(items.length)), "told");
    assertThat(told.get()).isEqualTo(500);
  }
}
