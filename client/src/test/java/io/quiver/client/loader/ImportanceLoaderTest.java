package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.importance.ImportanceLists;
import io.quiver.core.importance.ImportanceLists.Setup;
import io.quiver.core.importance.ImportanceMode;
import io.quiver.core.order.ItemList;
import io.quiver.core.order.ListState;
import io.quiver.remote.CountingStore;
import io.quiver.remote.RemoteStore;
import io.quiver.testkit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loaders that read by importance, alone and with a real cluster. */
@Timeout(240)
class ImportanceLoaderTest {
  private static final int ITEMS = 500;
  private static final int BATCH = 8;
  private static final long SEED = 3;

  @TempDir Path folder;
  private TestDataset data;
  private LoaderConfig plain;

  @BeforeEach
  void makeData() {
    data = TestDataset.make(folder, ITEMS, 2000, 7);
    plain = config(data.store());
  }

  private LoaderConfig config(RemoteStore store) {
    return LoaderConfig.of("job", data.digest(), store)
        .withBatch(BATCH)
        .withSeed(SEED)
        .withEpochs(20)
        .withImportance(ImportanceChoice.of(ImportanceMode.SHADE));
  }

  private static ImportanceLists lists() {
    return ImportanceLists.begin(Setup.of(ITEMS, BATCH, SEED, ImportanceMode.SHADE));
  }

  private static double[] losses(int[] items) {
    return Arrays.stream(items).mapToDouble(item -> item).toArray();
  }

  /** Reads an epoch to its end; returns its items in order. */
  private static int[] read(LoadedEpoch epoch, Consumer<Batch> work) {
    List<Integer> items = new ArrayList<>();
    try (epoch) {
      Optional<Batch> next = epoch.next();
      while (next.isPresent()) {
        try (Batch batch = next.get()) {
          Arrays.stream(batch.items()).forEach(items::add);
          work.accept(batch);
        }
        next = epoch.next();
      }
    }
    return items.stream().mapToInt(item -> item).toArray();
  }

  @Test
  void aLoaderReadsTheListsThatFollowFromItsReports() {
    ImportanceLists expected = lists();
    try (BatchLoader loader = BatchLoader.open(plain)) {
      for (int number = 0; number < 3; number++) {
        ItemList list = expected.begin(number).list();
        LoadedEpoch epoch = loader.epoch(number);
        int[] items = read(epoch, batch -> epoch.report(losses(batch.items())));
        assertThat(items).isEqualTo(list.entries());
        for (int from = 0; from < items.length; from += BATCH) {
          int[] batch = Arrays.copyOfRange(items, from, Math.min(items.length, from + BATCH));
          expected.scores().report(batch, losses(batch));
        }
      }
    }
  }

  @Test
  void weightsAreThoseOfTheList() {
    try (BatchLoader loader = BatchLoader.open(plain)) {
      read(loader.epoch(0), batch -> loader.report(batch.items(), losses(batch.items())));
      read(loader.epoch(1), batch -> {});
      List<Double> weights = new ArrayList<>();
      read(loader.epoch(2), batch -> weights.add(batch.weight(0)));
      assertThat(weights.stream().distinct().count()).isGreaterThan(2);
      assertThat(weights).allSatisfy(weight -> assertThat(weight).isBetween(0.5, 2.0));
    }
  }

  @Test
  void aSmallCacheAnswersWhatComesBackSoon() {
    // A disk that leaves a quarter of the data set kept, beside the slack of a ranked space.
    long disk = Math.round(data.digest().totalBytes() * 0.25 / 0.58);
    try (TestCluster cluster = new TestCluster(2, disk);
        CountingStore store = new CountingStore(data.store());
        BatchLoader loader = BatchLoader.open(config(store).withManager(cluster.manager()))) {
      Await.until(
          "a ranked space is planned",
          () -> loader.plan().map(plan -> plan.shared() != null).orElse(false));
      for (int number = 0; number < 6; number++) {
        LoadedEpoch epoch = loader.epoch(number);
        read(epoch, batch -> epoch.report(losses(batch.items())));
      }
      long hits = loader.statistics().delivered().hits();
      long items = loader.statistics().delivered().items();
      assertThat(items).isEqualTo(6L * ITEMS);
      // Any list of 500 draws has about 315 different items: LRU would hit a quarter.
      assertThat((double) hits / items).isGreaterThan(0.4);
      // An item that comes again while it is still being read is read once.
      assertThat(store.counts().reads()).isBetween((items - hits) / 2, items - hits);
    }
  }

  @Test
  void aJobGoesOnWhereItWasSavedWithAnyNumberOfRanks() {
    ImportanceState saved;
    int[] first;
    try (BatchLoader loader = BatchLoader.open(plain)) {
      LoadedEpoch warm = loader.epoch(0);
      read(warm, batch -> warm.report(losses(batch.items())));
      LoadedEpoch epoch = loader.epoch(1);
      List<Integer> items = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        try (Batch batch = epoch.next().orElseThrow()) {
          Arrays.stream(batch.items()).forEach(items::add);
        }
      }
      first = items.stream().mapToInt(item -> item).toArray();
      saved = loader.importanceState();
    }
    assertThat(saved.progress().deliveredEntries()).isEqualTo(first.length);
    LoaderConfig again =
        plain
            .withRanks(0, 2, 2)
            .withImportance(ImportanceChoice.of(ImportanceMode.SHADE).resuming(saved));
    try (BatchLoader loader = BatchLoader.open(again)) {
      int[] left = read(loader.epoch(1, 0), batch -> {});
      int[] right = read(loader.epoch(1, 1), batch -> {});
      int[] all = new int[first.length + left.length + right.length];
      System.arraycopy(first, 0, all, 0, first.length);
      System.arraycopy(left, 0, all, first.length, left.length);
      System.arraycopy(right, 0, all, first.length + left.length, right.length);
      Arrays.sort(all);
      int[] list = saved.progress().list().entries();
      Arrays.sort(list);
      assertThat(all).isEqualTo(list);
      ListState end = loader.importanceState().progress();
      assertThat(end.deliveredEntries()).isEqualTo(end.list().size());
    }
  }

  @Test
  void badReportsAreRefusedAndChangeNothing() {
    try (BatchLoader loader = BatchLoader.open(plain)) {
      LoadedEpoch epoch = loader.epoch(0);
      assertThatThrownBy(() -> epoch.report(new double[] {1}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no batch of epoch 0 was handed out yet");
      try (Batch batch = epoch.next().orElseThrow()) {
        assertThatThrownBy(() -> epoch.report(new double[] {1}))
            .hasMessage("1 losses for a batch of " + batch.size() + " items");
        assertThatThrownBy(() -> loader.report(new int[] {ITEMS}, new double[] {1}))
            .hasMessageContaining("the data set has 500 items");
        double[] odd = new double[batch.size()];
        Arrays.fill(odd, Double.NaN);
        odd[0] = Double.NEGATIVE_INFINITY;
        epoch.report(odd);
      }
      long scored =
          Arrays.stream(loader.importanceState().lists().scores())
              .filter(each -> each != 0)
              .count();
      assertThat(scored).isEqualTo(1);
      assertThatThrownBy(epoch::state).hasMessageContaining("importanceState()");
    }
    try (BatchLoader loader = BatchLoader.open(LoaderConfig.of("j", data.digest(), data.store()))) {
      assertThatThrownBy(() -> loader.report(new int[0], new double[0]))
          .hasMessageContaining("does not read by importance");
    }
  }

  @Test
  void fallingAccuracyEndsImportance() {
    try (BatchLoader loader = BatchLoader.open(plain)) {
      for (int number = 0; number < 6; number++) {
        loader.reportValidation(0.9 - 0.01 * number);
      }
      read(loader.epoch(0), batch -> {});
      // The next list was drawn ahead, before accuracy fell.
      read(loader.epoch(1), batch -> {});
      int[] items =
          read(loader.epoch(2), batch -> assertThat(batch.weight(0)).isCloseTo(1, within(0.0)));
      assertThat(Arrays.stream(items).distinct().count()).isEqualTo(ITEMS);
    }
  }
}
