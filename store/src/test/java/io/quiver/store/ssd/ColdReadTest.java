package io.quiver.store.ssd;

import static io.quiver.store.ssd.StoreFixture.A;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quiver.core.hash.ContentHash;
import io.quiver.store.Blob;
import io.quiver.store.BlobBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blobs that are not in memory: past the page cache first, through it the next time, then warm. */
final class ColdReadTest {
  @TempDir Path directory;

  @Test
  void coldBlobsAreRightAndBecomeWarmWhenAskedForAgain() throws Exception {
    List<Blob> blobs = new ArrayList<>();
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      for (int length : new int[] {0, 1, 3000, 4032, 4096, 100_000, 150_000, 1 << 20}) {
        blobs.add(Blob.numbered(length, length));
        StoreFixture.put(store, A, blobs.getLast());
      }
    }
    StoreFixture.dropFromMemory(directory);
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      StoreFixture.dropFromMemory(directory);
      readAll(store, blobs);
      long cold = store.usage().activity().coldReads();
      assumeTrue(cold > 0, "this file system keeps everything in memory");
      readAll(store, blobs);
      long again = store.usage().activity().coldReads();
      readAll(store, blobs);
      assertThat(store.usage().activity().coldReads()).as("warm by now").isEqualTo(again);
      assertThat(store.usage().activity().corruptBlobs()).isZero();
    }
  }

  @Test
  void damageIsFoundInColdBlobs() throws Exception {
    Blob blob = Blob.numbered(1, 100_000);
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      StoreFixture.put(store, A, blob);
    }
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      StoreFixture.flipBit(StoreFixture.segmentFiles(directory).getFirst(), 50_000, 2);
      StoreFixture.dropFromMemory(directory);
      assertThat(StoreFixture.get(store, blob)).isNull();
      assertThat(store.usage().activity().corruptBlobs()).isEqualTo(1);
    }
  }

  @Test
  void manyColdBlobsOfOneBatchAreRightAndADamagedOneIsAMiss() throws Exception {
    long seed = Long.getLong("quiver.test.seed", 23);
    Random random = new Random(seed);
    List<Blob> blobs = new ArrayList<>();
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      for (int i = 0; i < 600; i++) {
        blobs.add(Blob.random(random, 1 + random.nextInt(9000)));
        StoreFixture.put(store, A, blobs.getLast());
      }
    }
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      Path damaged = StoreFixture.segmentFiles(directory).getFirst();
      StoreFixture.flipBit(damaged, Files.size(damaged) / 2, 3);
      StoreFixture.dropFromMemory(directory);
      List<ContentHash> hashes = blobs.stream().map(Blob::hash).toList();
      try (BlobBatch batch = store.read(hashes, blobs.size(), Long.MAX_VALUE)) {
        assertThat(batch.hits()).as("seed %d", seed).isEqualTo(blobs.size() - 1);
        for (int i = 0; i < blobs.size(); i++) {
          if (batch.status(i) == BlobBatch.BlobStatus.HIT) {
            assertThat(Blob.bytes(batch.bytes(i))).isEqualTo(blobs.get(i).content());
          }
        }
      }
      assertThat(store.usage().activity().corruptBlobs()).as("seed %d", seed).isEqualTo(1);
    }
  }

  private static void readAll(SsdBlobStore store, List<Blob> blobs) {
    try (BlobBatch batch =
        store.read(blobs.stream().map(Blob::hash).toList(), blobs.size(), Long.MAX_VALUE)) {
      assertThat(batch.hits()).isEqualTo(blobs.size());
      for (int i = 0; i < blobs.size(); i++) {
        assertThat(Blob.bytes(batch.bytes(i))).isEqualTo(blobs.get(i).content());
      }
    }
  }
}
