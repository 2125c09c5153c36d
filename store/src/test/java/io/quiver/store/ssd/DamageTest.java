package io.quiver.store.ssd;

import static io.quiver.store.ssd.StoreFixture.A;
import static io.quiver.store.ssd.StoreFixture.B;
import static io.quiver.store.ssd.StoreFixture.hasRight;
import static io.quiver.store.ssd.StoreFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.store.Blob;
import io.quiver.store.BlobStore.PutOutcome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Torn, flipped and forged bytes in segment files: a miss at worst, never a wrong byte. */
final class DamageTest {
  private static final boolean LONG = Boolean.getBoolean("quiver.test.long");

  @TempDir Path directory;

  @Test
  void aTailTornAtAnyByteIsCutAndWhatLiesBeforeIsWhole() throws Exception {
    List<Blob> blobs = new ArrayList<>();
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      for (int length : new int[] {100, 0, 64, 130}) {
        blobs.add(Blob.numbered(length, length));
        put(store, A, blobs.getLast());
      }
    }
    Path file = StoreFixture.segmentFiles(directory).getFirst();
    byte[] whole = Files.readAllBytes(file);
    whole[SegmentHeader.STATE_OFFSET] = SegmentHeader.OPEN; // as after a crash
    for (int length = 0; length <= whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      try (SsdBlobStore store = StoreFixture.open(directory)) {
        long expected = wholeRecords(blobs, length);
        assertThat(blobs.stream().filter(blob -> hasRight(store, blob)).count())
            .as("cut at %d", length)
            .isEqualTo(expected);
        blobs.forEach(blob -> put(store, A, blob));
        assertThat(blobs)
            .as("refilled after a cut at %d", length)
            .allMatch(b -> hasRight(store, b));
      }
      for (Path other : StoreFixture.segmentFiles(directory)) {
        Files.delete(other);
      }
    }
  }

  private static long wholeRecords(List<Blob> blobs, int length) {
    long offset = SegmentHeader.BYTES;
    long whole = 0;
    for (Blob blob : blobs) {
      boolean inside = offset + RecordHeader.BYTES + blob.content().length <= length;
      whole += inside ? 1 : 0;
      offset += RecordHeader.recordBytes(blob.content().length);
    }
    return whole;
  }

  @Test
  void bitsFlippedWhileClosedAreFoundWhenRead() throws Exception {
    long seed = Long.getLong("quiver.test.seed", 21);
    Random random = new Random(seed);
    for (int round = 0; round < (LONG ? 2000 : 40); round++) {
      List<Blob> blobs = fill(random, 20);
      Path file = StoreFixture.segmentFiles(directory).getFirst();
      int flips = 1 + random.nextInt(3);
      for (int i = 0; i < flips; i++) {
        StoreFixture.flipBit(file, random.nextLong(Files.size(file)), random.nextInt(8));
      }
      try (SsdBlobStore store = StoreFixture.open(directory)) {
        long lost = blobs.stream().filter(blob -> !hasRight(store, blob)).count();
        assertThat(lost).as("seed %d, round %d", seed, round).isLessThanOrEqualTo(flips);
        blobs.forEach(blob -> put(store, A, blob));
        assertThat(blobs).allMatch(blob -> hasRight(store, blob));
        store.drop(A);
      }
    }
  }

  @Test
  void bitsFlippedWhileOpenAreFoundByTheCheckedRead() throws Exception {
    Random random = new Random(22);
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      List<Blob> blobs = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        blobs.add(Blob.random(random, 5000));
        put(store, A, blobs.getLast());
      }
      long offset = SegmentHeader.BYTES + 3 * RecordHeader.recordBytes(5000);
      Path file = StoreFixture.segmentFiles(directory).getFirst();
      StoreFixture.flipBit(file, offset + RecordHeader.BYTES + 1234, 5);
      assertThat(StoreFixture.getChecked(store, blobs.get(3))).isNull();
      assertThat(store.usage().activity().corruptBlobs()).isEqualTo(1);
      assertThat(store.contains(List.of(blobs.get(3).hash()))).containsExactly(false);
      assertThat(put(store, A, blobs.get(3))).isEqualTo(PutOutcome.STORED);
      assertThat(blobs).allMatch(blob -> hasRight(store, blob));
    }
  }

  @Test
  void aDamagedSharedBlobIsGoneFromAllItsSpacesAndCanBeStoredAgain() throws Exception {
    Blob blob = Blob.numbered(1, 3000);
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      put(store, A, blob);
      put(store, B, blob);
      Path file = directory.resolve("spaces/a/1.seg");
      StoreFixture.flipBit(file, SegmentHeader.BYTES + RecordHeader.BYTES + 17, 0);
      assertThat(StoreFixture.getChecked(store, blob)).isNull();
      assertThat(store.spaces()).isEmpty();
      assertThat(store.usage().liveBytes()).isZero();
      assertThat(put(store, B, blob)).isEqualTo(PutOutcome.STORED);
      assertThat(hasRight(store, blob)).isTrue();
    }
  }

  @Test
  void aDamagedHeaderInTheMiddleCostsItsOwnBlobOnly() throws Exception {
    List<Blob> blobs = fill(new Random(23), 20);
    Path file = StoreFixture.segmentFiles(directory).getFirst();
    StoreFixture.flipBit(file, SegmentHeader.BYTES + RecordHeader.HASH_OFFSET, 3);
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      assertThat(hasRight(store, blobs.getFirst())).isFalse();
      assertThat(blobs.subList(1, 20)).allMatch(blob -> hasRight(store, blob));
    }
  }

  @Test
  void aDamagedSegmentHeaderCostsNothing() throws Exception {
    List<Blob> blobs = fill(new Random(24), 20);
    Path file = StoreFixture.segmentFiles(directory).getFirst();
    StoreFixture.flipBit(file, SegmentHeader.NONCE_OFFSET, 0);
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      assertThat(blobs).allMatch(blob -> hasRight(store, blob));
    }
  }

  @Test
  void aBlobThatImitatesARecordCannotPoisonAName() throws Exception {
    Blob victim = Blob.numbered(5, 100);
    byte[] forged = new byte[1024];
    ByteBuffer record = ByteBuffer.wrap(forged, 64, 512).slice();
    RecordHeader.data(100, 0, victim.hash()).write(record, 12345);
    Blob forgery = Blob.of(forged);
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      put(store, A, Blob.numbered(1, 10));
      put(store, A, forgery);
    }
    Path file = StoreFixture.segmentFiles(directory).getFirst();
    // Without its own header the scan walks through the forgery's bytes.
    StoreFixture.flipBit(file, SegmentHeader.BYTES + RecordHeader.recordBytes(10) + 9, 1);
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      assertThat(store.contains(List.of(victim.hash(), forgery.hash())))
          .containsExactly(false, false);
    }
  }

  @Test
  void junkWhereSegmentsShouldBeIsIgnoredOrRemoved() throws Exception {
    List<Blob> blobs = fill(new Random(25), 5);
    Path space = directory.resolve("spaces/a");
    Files.write(space.resolve("77.seg"), new byte[] {1, 2, 3});
    Files.write(space.resolve("78.seg"), new byte[100_000]);
    Files.write(space.resolve("readme.txt"), new byte[10]);
    Files.createDirectories(directory.resolve("spaces/Not A Space"));
    try (RandomAccessFile huge = new RandomAccessFile(space.resolve("79.seg").toFile(), "rw")) {
      huge.setLength(3L << 30);
    }
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      assertThat(blobs).allMatch(blob -> hasRight(store, blob));
      assertThat(put(store, A, Blob.numbered(9, 9000))).isEqualTo(PutOutcome.STORED);
    }
    assertThat(space.resolve("readme.txt")).exists();
  }

  private List<Blob> fill(Random random, int count) throws IOException {
    List<Blob> blobs = new ArrayList<>();
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      for (int i = 0; i < count; i++) {
        blobs.add(Blob.random(random, 500 + random.nextInt(5000)));
        assertThat(put(store, A, blobs.getLast())).isEqualTo(PutOutcome.STORED);
      }
    }
    return blobs;
  }
}
