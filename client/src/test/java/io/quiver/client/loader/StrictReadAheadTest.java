package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.SamplerKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A strict order is known in advance: what it needs is read before it is drawn. */
@Timeout(240)
class StrictReadAheadTest {
  private static final int BATCH = 4;

  @TempDir Path folder;
  private TestDataset data;

  @BeforeEach
  void makeData() {
    data = TestDataset.make(folder, 200, 1000, 5);
  }

  private LoaderConfig strict(FaultyStore store, long bytes) {
    return LoaderConfig.of("strict", data.digest(), store)
        .withBatch(BATCH)
        .withSampler(SamplerKind.STRICT)
        .withAhead(new ReadAhead(1, bytes))
        .withReads(new StoreReads(16, 8));
  }

  @Test
  void readsOfLaterBatchesOverlapWithThoseOfTheFirst() {
    CountDownLatch together = new CountDownLatch(3 * BATCH);
    AtomicInteger alone = new AtomicInteger();
    FaultyStore store =
        new FaultyStore(
            data.store(),
            (name, target, proper) -> {
              together.countDown();
              alone.addAndGet(awaitOthers(together) ? 0 : 1);
              proper.run();
            });
    Deliveries deliveries = new Deliveries(data);
    try (BatchLoader loader = BatchLoader.open(strict(store, 1 << 20))) {
      deliveries.drain(loader.epoch(0), () -> {});
    }
    deliveries.requireExactlyOnce(1, "strict");
    assertThat(alone.get()).as("reads that waited in vain for those of later batches").isZero();
  }

  private static boolean awaitOthers(CountDownLatch together) throws IOException {
    try {
      return together.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Test
  void whatIsReadAheadStaysWithinItsBytesAndIsReadOnce() {
    long bytes = 6_000;
    Set<String> read = ConcurrentHashMap.newKeySet();
    AtomicInteger twice = new AtomicInteger();
    FaultyStore store =
        new FaultyStore(
            data.store(),
            (name, target, proper) -> {
              twice.addAndGet(read.add(name) ? 0 : 1);
              proper.run();
            });
    Deliveries deliveries = new Deliveries(data);
    try (BatchLoader loader = BatchLoader.open(strict(store, bytes));
        LoadedEpoch epoch = loader.epoch(0)) {
      deliveries.take(epoch, 10);
      long delivered = loader.statistics().delivered().bytes();
      assertThat(loader.statistics().store().bytes() - delivered)
          .isLessThanOrEqualTo(bytes + 2L * BATCH * 1000);
      deliveries.drain(epoch, () -> {});
    }
    deliveries.requireExactlyOnce(1, "strict");
    assertThat(twice.get()).isZero();
  }
}
