package io.quiver.store.ssd;

import static io.quiver.store.ssd.StoreFixture.A;
import static io.quiver.store.ssd.StoreFixture.hasRight;
import static io.quiver.store.ssd.StoreFixture.put;
import static io.quiver.store.ssd.StoreFixture.segmentFiles;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.store.Blob;
import io.quiver.store.BlobStore.PutOutcome;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the number of segments of a space that are written at the same time. */
final class OpenSegmentsTest {
  private static final int BYTES = 20_000;
  private static final Blob SLOW = Blob.numbered(1, BYTES);
  private static final Blob QUICK = Blob.numbered(2, BYTES);

  @TempDir Path directory;

  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private volatile boolean slow;

  @Test
  void whoeverComesWhileOneIsWritingUsesAnotherFile() throws Exception {
    writeTwoAtOnce();
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      assertThat(List.of(SLOW, QUICK)).allMatch(blob -> hasRight(store, blob));
    }
  }

  @Test
  void oneAfterTheOtherNeedsOneFile() {
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      for (int i = 0; i < 20; i++) {
        assertThat(put(store, A, Blob.numbered(i, BYTES))).isEqualTo(PutOutcome.STORED);
      }
    }
    assertThat(segmentFiles(directory)).hasSize(1);
  }

  @Test
  void aStartGoesOnInEveryFileThatHasRoom() throws Exception {
    writeTwoAtOnce();
    long before = StoreFixture.fileBytes(directory);
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      for (int i = 3; i < 30; i++) {
        assertThat(put(store, A, Blob.numbered(i, BYTES))).isEqualTo(PutOutcome.STORED);
      }
    }
    assertThat(StoreFixture.fileBytes(directory)).isGreaterThan(before + StoreFixture.SEGMENT);
    assertThat(segmentFiles(directory)).hasSize(2);
  }

  @Test
  void whereRoomIsShortWritersShareAFile() throws Exception {
    long capacity = 4 << 20;
    try (SsdBlobStore store = openSlow(capacity)) {
      int files = fillMostOf(store, capacity);
      putTwoAtOnce(store);
      assertThat(segmentFiles(directory)).hasSize(files);
    }
  }

  /** Fills seven tenths of the capacity and stops after the first blob of a file. */
  private int fillMostOf(SsdBlobStore store, long capacity) {
    int files = 0;
    for (int i = 3; store.usage().usedBytes() < capacity * 0.7 || files == count(); i++) {
      files = count();
      assertThat(put(store, A, Blob.numbered(i, BYTES))).isEqualTo(PutOutcome.STORED);
    }
    return count();
  }

  private int count() {
    return segmentFiles(directory).size();
  }

  /** Leaves two blobs in two files. */
  private void writeTwoAtOnce() throws Exception {
    try (SsdBlobStore store = openSlow(StoreFixture.CAPACITY)) {
      putTwoAtOnce(store);
      assertThat(segmentFiles(directory)).hasSize(2);
      // The padding of the last record need not be in a file.
      assertThat(store.usage().usedBytes() - StoreFixture.fileBytes(directory))
          .isBetween(0L, 2L * RecordHeader.BYTES);
    }
  }

  private void putTwoAtOnce(SsdBlobStore store) throws Exception {
    slow = true;
    FutureTask<PutOutcome> waiting = new FutureTask<>(() -> put(store, A, SLOW));
    Thread.ofPlatform().start(waiting);
    assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(put(store, A, QUICK)).isEqualTo(PutOutcome.STORED);
    goOn.countDown();
    assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo(PutOutcome.STORED);
    assertThat(List.of(SLOW, QUICK)).allMatch(blob -> hasRight(store, blob));
  }

  /** Returns a store on a disk that can be told to wait in the next write of a record. */
  private SsdBlobStore openSlow(long capacity) throws Exception {
    SsdStoreConfig config =
        new SsdStoreConfig(
            List.of(directory),
            capacity,
            StoreFixture.SEGMENT / 2,
            StoreFixture.SEGMENT,
            4,
            4 << 20);
    return SsdBlobStore.open(
        config,
        RecoveryProgress.NONE,
        (path, bytes) -> slowWhenTold(new NativeSegmentFile(path, bytes)),
        System::nanoTime);
  }

  private SegmentFile slowWhenTold(SegmentFile file) {
    return (SegmentFile)
        Proxy.newProxyInstance(
            SegmentFile.class.getClassLoader(),
            new Class<?>[] {SegmentFile.class},
            (proxy, method, arguments) -> {
              boolean record =
                  method.getName().equals("write")
                      && ((ByteBuffer) arguments[0]).remaining() > BYTES;
              if (record && slow) {
                slow = false;
                entered.countDown();
                assertThat(goOn.await(10, TimeUnit.SECONDS)).isTrue();
              }
              return method.invoke(file, arguments);
            });
  }
}
