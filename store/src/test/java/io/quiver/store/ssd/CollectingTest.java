package io.quiver.store.ssd;

import static io.quiver.store.ssd.StoreFixture.A;
import static io.quiver.store.ssd.StoreFixture.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.store.Blob;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore.PutOutcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collecting garbage on a store whose files take all the room inserts may use. */
final class CollectingTest {
  private static final int BLOB_BYTES = 16_000;
  private static final int PER_SEGMENT = (256 << 10) / (BLOB_BYTES + 2 * RecordHeader.BYTES);
  private static final long CAPACITY = 5 << 20;

  /** The bytes that inserts leave to moves, and a little more. */
  private static final long RESERVE = (256 << 10) + 24_000;

  @TempDir Path directory;

  private final Random random = new Random(7);
  private SsdBlobStore store;

  @BeforeEach
  void open() throws Exception {
    SsdStoreConfig config =
        new SsdStoreConfig(List.of(directory), CAPACITY, 256 << 10, 256 << 10, 2, 1 << 20);
    store = SsdBlobStore.open(config, RecoveryProgress.NONE);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void roomThatReadersGiveBackInSmallPartsIsCollectedOn() throws Exception {
    List<Blob> held = fillWithSpreadGarbage();
    Blob large = Blob.random(random, 60_000);
    FutureTask<PutOutcome> put = new FutureTask<>(() -> StoreFixture.put(store, A, large));
    BlobBatch reader = readAll(held);
    Thread writer;
    try {
      writer = Thread.ofPlatform().start(put);
      while (writer.getState() != Thread.State.TIMED_WAITING && writer.isAlive()) {
        Thread.onSpinWait();
      }
    } finally {
      reader.close();
    }
    assertThat(put.get(10, TimeUnit.SECONDS)).isEqualTo(PutOutcome.STORED);
    assertThat(StoreFixture.hasRight(store, large)).isTrue();
    assertThat(held).allMatch(blob -> StoreFixture.hasRight(store, blob));
  }

  @Test
  void aStoreWhoseRoomReadersKeepRefusesInsteadOfWaitingForEver() {
    List<Blob> held = fillWithSpreadGarbage();
    Blob large = Blob.random(random, 60_000);
    try (BlobBatch reader = readAll(held)) {
      assertThat(StoreFixture.put(store, A, large)).isEqualTo(PutOutcome.NO_ROOM);
      assertThat(Blob.bytes(reader.bytes(0))).isEqualTo(held.getFirst().content());
    }
    assertThat(StoreFixture.put(store, A, large)).isEqualTo(PutOutcome.STORED);
  }

  @Test
  void aReaderOfOneSegmentDoesNotKeepTheDiskSpaceOfOthers() {
    Blob held = fillWithSpreadGarbage().getLast();
    Blob large = Blob.random(random, 60_000);
    try (BlobBatch reader = readAll(List.of(held))) {
      assertThat(StoreFixture.put(store, A, large)).isEqualTo(PutOutcome.STORED);
      assertThat(Blob.bytes(reader.bytes(0))).isEqualTo(held.content());
    }
  }

  private BlobBatch readAll(List<Blob> blobs) {
    return store.read(blobs.stream().map(Blob::hash).toList(), blobs.size(), Long.MAX_VALUE);
  }

  @Test
  void aSpaceWhoseLastSegmentWasCollectedBeginsAnotherWithoutAFailure() {
    Blob gone = Blob.random(random, BLOB_BYTES);
    StoreFixture.put(store, B, gone);
    Path first = StoreFixture.segmentFiles(directory).getFirst();
    store.evict(gone.hash(), B);
    fillWithSpreadGarbage();
    for (int i = 0; first.toFile().exists() && i < 100; i++) {
      Blob more = Blob.random(random, BLOB_BYTES);
      assertThat(StoreFixture.put(store, A, more)).isEqualTo(PutOutcome.STORED);
      store.evict(more.hash(), A);
    }
    assertThat(first).doesNotExist();

    assertThat(StoreFixture.put(store, B, gone)).isEqualTo(PutOutcome.STORED);
    assertThat(StoreFixture.hasRight(store, gone)).isTrue();
    assertThat(store.usage().activity().failures()).isZero();
  }

  /** Fills files up to the reserve with a dead record in each segment; returns the live blobs. */
  private List<Blob> fillWithSpreadGarbage() {
    List<Blob> blobs = new ArrayList<>();
    Blob next = Blob.random(random, BLOB_BYTES);
    while (StoreFixture.put(store, A, next) == PutOutcome.STORED) {
      blobs.add(next);
      next = Blob.random(random, BLOB_BYTES);
    }
    for (int i = 0; i < blobs.size(); i += PER_SEGMENT) {
      store.evict(blobs.get(i).hash(), A);
    }
    while (store.usage().usedBytes() + BLOB_BYTES < CAPACITY - RESERVE) {
      assertThat(StoreFixture.put(store, A, Blob.random(random, BLOB_BYTES)))
          .isEqualTo(PutOutcome.STORED);
    }
    for (int i = 1; i < blobs.size() / 2; i += PER_SEGMENT) {
      store.evict(blobs.get(i).hash(), A);
    }
    blobs.removeIf(blob -> !StoreFixture.hasRight(store, blob));
    return blobs;
  }
}
