package io.quiver.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Record;
import io.quiver.client.GetRequest.Verification;
import io.quiver.client.loader.LoadException;
import io.quiver.core.plan.PlannerKind;
import io.quiver.node.EmbeddedCluster;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks failing decoders, stores, caches and training loops. */
class FaultsTest {
  private static final int ITEMS = 200;

  @TempDir private Path folder;
  private Stripes stripes;
  private NDManager manager;
  private ExecutorService threads;

  @BeforeEach
  void open() throws IOException {
    stripes = Stripes.make(folder.resolve("data"), ITEMS, 2);
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

  private static Record refuseItem42(NDManager manager, ItemSample sample) throws IOException {
    if (sample.item() == 42) {
      throw new IOException("not a stripe");
    }
    return new Record(
        new NDList(manager.create(sample.bytes())), new NDList(manager.create(sample.label())));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anItemThatCannotBeDecodedIsNamedAndTheNextBatchesCome(boolean ahead) throws Exception {
    try (QuiverDataset dataset = stripes.dataset().setDecoder(FaultsTest::refuseItem42).build()) {
      List<Integer> items = new ArrayList<>();
      List<String> failures = new ArrayList<>();
      Iterator<Batch> batches = dataset.getData(manager, executor(ahead)).iterator();
      boolean more = true;
      while (more) {
        try {
          more = batches.hasNext();
          items.addAll(more ? Walks.items(batches, 1) : List.of());
        } catch (DecodeException e) {
          failures.add(String.valueOf(e.getMessage()));
        }
      }
      assertThat(failures).hasSize(1);
      assertThat(failures.getFirst())
          .contains("item 42", Stripes.OBJECT, "64 bytes from " + 42 * 64, "not a stripe");
      assertThat(items).hasSizeBetween(ITEMS - 16, ITEMS - 8).doesNotHaveDuplicates();
      assertThat(dataset.state().deliveredItems()).isEqualTo(items.size());
    }
  }

  @Test
  void itemsOfAnotherShapeAreNamed() throws Exception {
    try (QuiverDataset dataset =
        stripes
            .dataset()
            .setBatchDecoder(new TensorDecoder(new Shape(9, 9), DataType.UINT8))
            .build()) {
      Iterator<Batch> batches = dataset.getData(manager).iterator();
      assertThatThrownBy(batches::hasNext)
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining(Stripes.OBJECT)
          .hasMessageContaining("81 bytes");
    }
  }

  @Test
  void itemsThatCannotBeStackedSayWhatToDo() throws Exception {
    Decoder uneven =
        (arrays, sample) ->
            new Record(new NDList(arrays.create(new byte[1 + sample.item() % 3])), new NDList());
    try (QuiverDataset dataset = stripes.dataset().setDecoder(uneven).build()) {
      Iterator<Batch> batches = dataset.getData(manager).iterator();
      assertThatThrownBy(batches::hasNext)
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("batchifier that pads");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anItemThatCannotBeReadFailsTheEpochByName(boolean ahead) throws Exception {
    Files.delete(stripes.file());
    try (QuiverDataset dataset = stripes.dataset().build()) {
      Iterator<Batch> batches = dataset.getData(manager, executor(ahead)).iterator();
      assertThatThrownBy(batches::hasNext)
          .isInstanceOf(LoadException.class)
          .hasMessageContaining(Stripes.OBJECT);
      assertThatThrownBy(batches::hasNext).isInstanceOf(RuntimeException.class);
    }
  }

  @Test
  void withoutAnybodyAtTheCachesAddressEverythingComesFromTheStore() throws Exception {
    URI nobody;
    try (ServerSocket free = new ServerSocket(0)) {
      nobody = URI.create("http://127.0.0.1:" + free.getLocalPort());
    }
    try (QuiverDataset dataset = stripes.dataset().optCache(nobody).build()) {
      Walks.assertExactlyOnce(Walks.items(dataset.getData(manager)), ITEMS);
      assertThat(dataset.statistics().delivered().hits()).isZero();
      assertThat(dataset.statistics().store().reads()).isEqualTo(ITEMS);
    }
  }

  /** The loader's own tests show what it does with that, beside a server that forges. */
  @ParameterizedTest
  @EnumSource
  void theLoaderChecksWhatServersSendAsTheDataSetWasTold(Verification wanted) throws Exception {
    try (QuiverDataset plain = stripes.dataset().build();
        QuiverDataset told = stripes.dataset().optVerification(wanted).build()) {
      assertThat(plain.loader().config().verification()).isEqualTo(Verification.SAMPLED);
      assertThat(told.loader().config().verification()).isEqualTo(wanted);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whenTheCacheDiesTheEpochGoesOnFromTheStore(boolean ahead) throws Exception {
    EmbeddedCluster cluster =
        EmbeddedCluster.open(
            folder.resolve("cache"), stripes.digest().totalBytes(), PlannerKind.MARGINAL);
    try (QuiverDataset dataset = stripes.dataset().optCache(cluster.uri()).build()) {
      Walks.items(dataset.getData(manager));
      EpochData second = dataset.getData(manager, executor(ahead));
      Iterator<Batch> batches = second.iterator();
      List<Integer> items = Walks.items(batches, 3);
      cluster.close();
      items.addAll(Walks.items(() -> batches));
      Walks.assertExactlyOnce(items, ITEMS);
      Walks.assertExactlyOnce(Walks.items(dataset.getData(manager)), ITEMS);
    } finally {
      cluster.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEpochLeftHalfWayLeavesNothingBehind(boolean ahead) throws Exception {
    List<Batch> last = new ArrayList<>();
    try (QuiverDataset dataset = stripes.dataset().build()) {
      Iterator<Batch> left = dataset.getData(manager, executor(ahead)).iterator();
      List<Batch> open = List.of(left.next(), left.next());
      assertThat(left.hasNext()).isTrue();
      assertThat(manager.getManagedArrays()).isNotEmpty();

      EpochData next = dataset.getData(manager, executor(ahead));
      assertThat(open).noneMatch(batch -> batch.getManager().isOpen());
      assertThat(next.number()).isEqualTo(1);
      Walks.assertExactlyOnce(Walks.items(next), ITEMS);
      assertThat(manager.getManagedArrays()).isEmpty();

      last.add(dataset.getData(manager, executor(ahead)).iterator().next());
      assertThat(last.getFirst().getManager().isOpen()).isTrue();
    }
    assertThat(last.getFirst().getManager().isOpen()).isFalse();
    threads.shutdown();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(manager.getManagedArrays()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closingTheManagerEndsTheEpoch(boolean ahead) throws Exception {
    try (QuiverDataset dataset = stripes.dataset().build()) {
      NDManager trainers = manager.newSubManager();
      EpochData data = dataset.getData(trainers, executor(ahead));
      Iterator<Batch> batches = data.iterator();
      Batch first = batches.next();
      trainers.close();
      assertThat(first.getManager().isOpen()).isFalse();
      assertThatThrownBy(() -> Walks.items(() -> batches))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
      data.close();
    }
  }
}
