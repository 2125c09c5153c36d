package io.quiver.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import io.quiver.client.loader.ImportanceChoice;
import io.quiver.core.importance.ImportanceMode;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerKind;
import io.quiver.node.EmbeddedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuiverDatasetTest {
  private static final int ITEMS = 500;
  private static final int BATCH = 16;

  @TempDir private static Path folder;
  private static EmbeddedCluster cluster;
  private static Stripes stripes;
  private NDManager manager;
  private ExecutorService threads;

  @BeforeAll
  static void start() throws Exception {
    stripes = Stripes.make(folder.resolve("data"), ITEMS, 1);
    cluster =
        EmbeddedCluster.open(
            folder.resolve("cache"), stripes.digest().totalBytes() / 2, PlannerKind.MARGINAL);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void open() {
    manager = NDManager.newBaseManager();
    threads = Executors.newFixedThreadPool(2);
  }

  @AfterEach
  void close() {
    manager.close();
    threads.shutdownNow();
  }

  private @Nullable ExecutorService executor(boolean ahead) {
    return ahead ? threads : null;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hardSamplesComeMoreOftenAndWeighLess(boolean ahead) throws Exception {
    ImportanceChoice shade = ImportanceChoice.of(ImportanceMode.SHADE_BOUNDARY);
    try (QuiverDataset dataset =
        stripes.dataset().optCache(cluster.uri()).optEpochs(3).optImportance(shade).build()) {
      long hard = 0;
      for (int epoch = 0; epoch < 3; epoch++) {
        EpochData data = dataset.getData(manager, executor(ahead));
        assertThatThrownBy(data::state).hasMessageContaining("importanceState()");
        for (Batch batch : data) {
          List<Long> items =
              batch.getIndices().stream().map(each -> ((Number) each).longValue()).toList();
          data.report(items.stream().mapToDouble(item -> item).toArray());
          hard += epoch < 2 ? 0 : items.stream().filter(item -> item >= ITEMS / 2).count();
          double[] weights = data.weights();
          for (int i = 0; epoch == 2 && i < weights.length; i++) {
            // A score is between ln(10) and ln(10 + 15), the mean about ln(17).
            assertThat(weights[i]).isBetween(0.8, 1.3);
          }
          batch.close();
        }
      }
      assertThat(hard).isGreaterThan(ITEMS * 51 / 100);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyItemComesExactlyOnceInEveryEpoch(boolean ahead) throws Exception {
    try (QuiverDataset dataset = stripes.dataset().optCache(cluster.uri()).optEpochs(3).build()) {
      List<List<Integer>> orders = new ArrayList<>();
      for (int epoch = 0; epoch < 3; epoch++) {
        EpochData data = dataset.getData(manager, executor(ahead));
        assertThat(data.number()).isEqualTo(epoch);
        orders.add(Walks.items(data));
        Walks.assertExactlyOnce(orders.getLast(), ITEMS);
      }
      assertThat(orders.get(0)).isNotEqualTo(orders.get(1));
      assertThat(dataset.statistics().delivered().items()).isEqualTo(3 * ITEMS);
      assertThatThrownBy(() -> dataset.getData(manager))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("epoch 3");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void batchesHaveTheItemsBytesLabelsAndSizes(boolean ahead) throws Exception {
    try (QuiverDataset dataset = stripes.dataset().optCache(cluster.uri()).build()) {
      long before = 0;
      for (Batch batch : dataset.getData(manager, executor(ahead))) {
        List<Integer> items = Walks.items(batch);
        byte[] pixels = batch.getData().singletonOrThrow().toByteArray();
        long[] labels = batch.getLabels().singletonOrThrow().toLongArray();
        for (int place = 0; place < items.size(); place++) {
          int item = items.get(place);
          byte[] own = new byte[Stripes.BYTES];
          System.arraycopy(pixels, place * Stripes.BYTES, own, 0, Stripes.BYTES);
          assertThat(own).isEqualTo(stripes.content(item));
          assertThat(labels[place]).isEqualTo(item % 2);
        }
        before += batch.getSize();
        assertThat(batch.getProgress()).isEqualTo(before);
        assertThat(batch.getProgressTotal()).isEqualTo(ITEMS);
        assertThat(batch.getSize()).isEqualTo(before == ITEMS ? ITEMS % BATCH : BATCH);
        batch.close();
      }
      assertThat(before).isEqualTo(ITEMS);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStrictOrderIsTheSameFromRunToRun(boolean ahead) throws Exception {
    List<List<Integer>> orders = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      try (QuiverDataset dataset =
          stripes.dataset().optCache(cluster.uri()).optSampler(SamplerKind.STRICT).build()) {
        Walks.items(dataset.getData(manager, executor(ahead)));
        orders.add(Walks.items(dataset.getData(manager, executor(!ahead))));
      }
    }
    assertThat(orders.get(0)).isEqualTo(orders.get(1));
    Walks.assertExactlyOnce(orders.getFirst(), ITEMS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherRunGoesOnAfterTheLastBatchHandedOut(boolean ahead) throws Exception {
    List<Integer> items;
    EpochState state;
    try (QuiverDataset dataset = stripes.dataset().optCache(cluster.uri()).build()) {
      Walks.items(dataset.getData(manager, executor(ahead)));
      items = Walks.items(dataset.getData(manager, executor(ahead)).iterator(), 5);
      state = dataset.state();
    }
    assertThat(state.epoch()).isEqualTo(1);
    assertThat(state.deliveredItems()).isEqualTo(5 * BATCH);
    try (QuiverDataset dataset =
        stripes.dataset().optCache(cluster.uri()).optResume(state).build()) {
      EpochData rest = dataset.getData(manager, executor(ahead));
      assertThat(rest.items()).isEqualTo(ITEMS - 5 * BATCH);
      items.addAll(Walks.items(rest));
      Walks.assertExactlyOnce(items, ITEMS);
      Walks.assertExactlyOnce(Walks.items(dataset.getData(manager)), ITEMS);
    }
  }

  @Test
  void ranksShareAnEpoch() throws Exception {
    List<Integer> items = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      int own = rank;
      try (QuiverDataset dataset =
          stripes.dataset().optLoader(config -> config.withRank(own, 2)).build()) {
        items.addAll(Walks.items(dataset.getData(manager)));
      }
    }
    Walks.assertExactlyOnce(items, ITEMS);
    assertThatThrownBy(
            () -> stripes.dataset().optLoader(config -> config.withRanks(0, 2, 2)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one for each");
  }

  @Test
  void anEpochIsWalkedThroughOnce() throws Exception {
    try (QuiverDataset dataset = stripes.dataset().build()) {
      EpochData data = dataset.getData(manager);
      Iterator<Batch> batches = data.iterator();
      assertThat(batches.hasNext()).isTrue();
      assertThatThrownBy(data::iterator)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("getData");
    }
  }

  @Test
  void whatIsMissingIsNamedWithTheCallThatSaysIt() {
    assertThatThrownBy(() -> QuiverDataset.builder().setDigest(stripes.digest()).build())
        .hasMessageContaining("setDecoder");
    assertThatThrownBy(() -> QuiverDataset.builder().setBatchDecoder(Stripes.decoder()).build())
        .hasMessageContaining("setDigest");
    assertThatThrownBy(() ->
            QuiverDataset.builder()
                .setBatchDecoder(Stripes.decoder())
                .setDigest(folder.resolve("none.qdg"))
                .build())
        .hasMessageContaining("none.qdg");
  }
}
