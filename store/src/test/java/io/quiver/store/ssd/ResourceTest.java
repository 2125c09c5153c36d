package io.quiver.store.ssd;

import static io.quiver.store.ssd.StoreFixture.A;
import static io.quiver.store.ssd.StoreFixture.B;
import static io.quiver.store.ssd.StoreFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.store.Blob;
import io.quiver.store.BlobBatch;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing stays behind: threads, mappings, descriptors. */
final class ResourceTest {
  @TempDir Path directory;

  @Test
  void closingLeavesNoDescriptorMappingOrThread() throws Exception {
    SsdBlobStore store = StoreFixture.open(directory);
    List<Blob> blobs = churn(store);
    assertThat(descriptors()).isGreaterThan(2);
    assertThat(mappings()).isPositive();
    blobs.forEach(blob -> StoreFixture.hasRight(store, blob));
    store.close();
    assertThat(descriptors()).isZero();
    assertThat(mappings()).isZero();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("quiver-"));
  }

  @Test
  void droppedSegmentsAreReleasedWhenTheLastBatchCloses() throws Exception {
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      List<Blob> blobs = churn(store);
      try (BlobBatch batch = store.read(List.of(blobs.getLast().hash()), 1, Long.MAX_VALUE)) {
        store.drop(A);
        assertThat(store.usage().usedBytes()).isPositive();
        assertThat(mappings()).isPositive();
        assertThat(Blob.bytes(batch.bytes(0))).isEqualTo(blobs.getLast().content());
      }
      StoreFixture.awaitUsed(store, 0, "after the batch was closed");
      assertThat(mappings()).isZero();
      assertThat(StoreFixture.segmentFiles(directory)).isEmpty();
    }
  }

  @Test
  void aSlowReaderKeepsOnlyTheSegmentsItReads() throws Exception {
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      List<Blob> blobs = churn(store);
      Blob other = Blob.numbered(1, 1000);
      put(store, B, other);
      long held = RecordHeader.recordBytes(1000) + SegmentHeader.BYTES;
      try (BlobBatch slow = store.read(List.of(other.hash()), 1, Long.MAX_VALUE)) {
        store.drop(A);
        StoreFixture.awaitUsed(store, held, "while one segment is read");
        assertThat(mappings()).isEqualTo(1);
        store.drop(B);
        assertThat(store.usage().usedBytes()).isEqualTo(held);
        assertThat(Blob.bytes(slow.bytes(0))).isEqualTo(other.content());
      }
      StoreFixture.awaitUsed(store, 0, "after the batch was closed");
      assertThat(mappings()).isZero();
      assertThat(blobs).noneMatch(blob -> StoreFixture.hasRight(store, blob));
    }
  }

  @Test
  void batchesOutliveTheStore() throws Exception {
    SsdBlobStore store = StoreFixture.open(directory);
    Blob blob = churn(store).getLast();
    try (BlobBatch batch = store.read(List.of(blob.hash()), 1, Long.MAX_VALUE)) {
      store.close();
      assertThat(mappings()).as("the other segments are released").isEqualTo(1);
      assertThat(Blob.bytes(batch.bytes(0))).isEqualTo(blob.content());
    }
    assertThat(mappings()).isZero();
    assertThat(descriptors()).isZero();
  }

  @Test
  void aFailedOpenLeavesNothingOpen() throws Exception {
    Files.writeString(directory.resolve("quiver.format"), "something else\n");
    assertThatThrownBy(() -> StoreFixture.open(directory)).hasMessageContaining("another format");
    assertThat(descriptors()).isZero();
  }

  private static List<Blob> churn(SsdBlobStore store) {
    Random random = new Random(31);
    List<Blob> blobs = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      Blob blob = Blob.random(random, 20_000);
      put(store, A, blob);
      blobs.add(blob);
    }
    return blobs;
  }

  private long descriptors() throws IOException {
    long open = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : all) {
        open += Files.isSymbolicLink(descriptor) && target(descriptor).contains(here()) ? 1 : 0;
      }
    }
    return open;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }

  private long mappings() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains(here()))
        .count();
  }

  private String here() {
    return directory.toString();
  }
}
