package io.quiver.store.ssd;

import static io.quiver.store.ssd.StoreFixture.A;
import static io.quiver.store.ssd.StoreFixture.B;
import static io.quiver.store.ssd.StoreFixture.hasRight;
import static io.quiver.store.ssd.StoreFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.store.Blob;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full, refuse, or vanish: refusals and misses that are counted, and recovery. */
final class FailingDiskTest {
  @TempDir Path directory;
  @TempDir Path second;

  private final AtomicLong roomOnDisk = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong clock = new AtomicLong();
  private volatile boolean readsFail;
  private volatile boolean broken;

  @Test
  void aFullDiskRefusesAndTakesAgainWhenThereIsRoom() throws Exception {
    try (SsdBlobStore store = open(directory)) {
      Blob first = Blob.numbered(1, 10_000);
      assertThat(put(store, A, first)).isEqualTo(PutOutcome.STORED);
      roomOnDisk.set(5_000);
      Blob refused = Blob.numbered(2, 100_000);
      for (int i = 0; i < 5; i++) {
        assertThat(put(store, A, refused)).isEqualTo(PutOutcome.DISK_FAILURE);
      }
      assertThat(store.usage().activity().failures()).isPositive();
      assertThat(hasRight(store, first)).isTrue();
      assertThat(hasRight(store, refused)).isFalse();
      roomOnDisk.set(Long.MAX_VALUE);
      assertThat(put(store, A, refused))
          .as("not tried for a while")
          .isEqualTo(PutOutcome.DISK_FAILURE);
      clock.addAndGet(TimeUnit.SECONDS.toNanos(31));
      assertThat(put(store, A, refused)).isEqualTo(PutOutcome.STORED);
      assertThat(hasRight(store, refused)).isTrue();
      assertThat(StoreFixture.fileBytes(directory)).isLessThanOrEqualTo(store.usage().usedBytes());
    }
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      assertThat(hasRight(store, Blob.numbered(1, 10_000))).isTrue();
      assertThat(hasRight(store, Blob.numbered(2, 100_000))).isTrue();
    }
  }

  @Test
  void writesCutShortAtRandomNeverHurtWhatWasStored() throws Exception {
    long seed = Long.getLong("quiver.test.seed", 51);
    Random random = new Random(seed);
    List<Blob> stored = new ArrayList<>();
    try (SsdBlobStore store = open(directory)) {
      for (int i = 0; i < 400; i++) {
        roomOnDisk.set(random.nextInt(4) == 0 ? random.nextInt(10_000) : Long.MAX_VALUE);
        Blob blob = Blob.random(random, random.nextInt(20_000));
        if (put(store, random.nextBoolean() ? A : B, blob) == PutOutcome.STORED) {
          stored.add(blob);
        }
        clock.addAndGet(TimeUnit.SECONDS.toNanos(31));
      }
      assertThat(stored).hasSizeBetween(200, 399);
      assertThat(stored).as("seed %d", seed).allMatch(blob -> hasRight(store, blob));
    }
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      assertThat(stored).as("seed %d", seed).allMatch(blob -> hasRight(store, blob));
      assertThat(store.usage().blobs()).isEqualTo(stored.size());
    }
  }

  @Test
  void aFailureThatIsNoErrorOfADiskLeavesNeitherSpaceNorWriterBehind() throws Exception {
    try (SsdBlobStore store = open(directory)) {
      put(store, A, Blob.numbered(0, 5000));
      long used = store.usage().usedBytes();
      List<SpaceUsage> spaces = store.spaces();
      for (int i = 1; i < 9; i++) {
        Blob blob = Blob.numbered(i, i % 2 == 0 ? 5000 : 100_000);
        broken = true;
        assertThatThrownBy(() -> put(store, A, blob)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> put(store, B, blob)).isInstanceOf(IllegalStateException.class);
        broken = false;
      }
      assertThat(store.usage().usedBytes()).isEqualTo(used);
      assertThat(store.spaces()).isEqualTo(spaces);
      assertThat(StoreFixture.fileBytes(directory)).isLessThanOrEqualTo(used);
      assertThat(put(store, A, Blob.numbered(1, 100_000))).isEqualTo(PutOutcome.STORED);
      assertThat(put(store, A, Blob.numbered(2, 5000))).isEqualTo(PutOutcome.STORED);
      assertThat(StoreFixture.segmentFiles(directory)).as("nobody seems to write").hasSize(1);
    }
    try (SsdBlobStore store = StoreFixture.open(directory)) {
      assertThat(store.usage().blobs()).isEqualTo(3);
    }
  }

  @Test
  void segmentsThatCannotBeOpenedKeepTheirDiskSpace() throws Exception {
    try (SsdBlobStore store = open(directory)) {
      for (int i = 0; i < 300; i++) {
        put(store, A, Blob.numbered(i, 30_000));
      }
    }
    Path lost = StoreFixture.segmentFiles(directory).getFirst();
    SegmentFile.Opener opener =
        (path, bytes) -> {
          if (path.equals(lost)) {
            throw new IOException("Input/output error");
          }
          return new NativeSegmentFile(path, bytes);
        };
    try (SsdBlobStore store =
        SsdBlobStore.open(
            StoreFixture.config(directory), RecoveryProgress.NONE, opener, System::nanoTime)) {
      assertThat(store.usage().activity().failures()).isEqualTo(1);
      assertThat(store.usage().usedBytes())
          .isGreaterThanOrEqualTo(StoreFixture.fileBytes(directory));
      int next = 300;
      while (put(store, B, Blob.numbered(next, 30_000)) == PutOutcome.STORED) {
        next++;
      }
      assertThat(next).isGreaterThan(310);
      assertThat(StoreFixture.fileBytes(directory)).isLessThanOrEqualTo(StoreFixture.CAPACITY);
    }
  }

  @Test
  void aReadErrorIsAMissThatIsCountedAndGoesAway() throws Exception {
    List<Blob> blobs = new ArrayList<>();
    try (SsdBlobStore store = open(directory)) {
      for (int i = 0; i < 10; i++) {
        blobs.add(Blob.numbered(i, 5000));
        put(store, A, blobs.getLast());
      }
      readsFail = true;
      store.evict(blobs.get(0).hash(), B);
      long failures = store.usage().activity().failures();
      assertThat(failures).isPositive();
      readsFail = false;
      assertThat(blobs).allMatch(blob -> hasRight(store, blob));
    }
  }

  @Test
  void oneFailingDiskDoesNotStopTheOther() throws Exception {
    SsdStoreConfig config = StoreFixture.config(directory, second);
    SegmentFile.Opener opener =
        (path, bytes) -> {
          if (path.startsWith(second)) {
            throw new IOException("this disk is gone");
          }
          return new NativeSegmentFile(path, bytes);
        };
    try (SsdBlobStore store =
        SsdBlobStore.open(config, RecoveryProgress.NONE, opener, System::nanoTime)) {
      for (int i = 0; i < 50; i++) {
        Blob blob = Blob.numbered(i, 5000);
        assertThat(put(store, A, blob)).isEqualTo(PutOutcome.STORED);
        assertThat(hasRight(store, blob)).isTrue();
      }
      assertThat(store.usage().activity().failures())
          .as("tried three times, then left alone")
          .isEqualTo(3);
    }
  }

  @Test
  void segmentsAreSpreadOverDisks() {
    try (SsdBlobStore store = StoreFixture.open(directory, second)) {
      for (int i = 0; i < 100; i++) {
        put(store, A, Blob.numbered(i, 10_000));
      }
      long one = StoreFixture.fileBytes(directory);
      long other = StoreFixture.fileBytes(second);
      assertThat(Math.abs(one - other)).isLessThan(50_000);
    }
  }

  @Test
  void aVanishedDirectoryRefusesOrServesWhatIsOpen() throws Exception {
    Path gone = Files.createDirectory(directory.resolve("gone"));
    try (SsdBlobStore store = StoreFixture.open(gone)) {
      Blob before = Blob.numbered(1, 5000);
      put(store, A, before);
      for (Path file : StoreFixture.segmentFiles(gone)) {
        Files.delete(file);
      }
      Files.delete(gone.resolve("spaces/a"));
      Files.delete(gone.resolve("spaces"));
      Files.writeString(gone.resolve("spaces"), "in the way");
      assertThat(hasRight(store, before)).isTrue();
      assertThat(put(store, B, Blob.numbered(2, 5000))).isEqualTo(PutOutcome.DISK_FAILURE);
      assertThat(store.usage().activity().failures()).isPositive();
    }
  }

  private SsdBlobStore open(Path... directories) throws IOException {
    return SsdBlobStore.open(
        StoreFixture.config(directories),
        RecoveryProgress.NONE,
        (path, bytes) -> new LimitedFile(new NativeSegmentFile(path, bytes)),
        clock::get);
  }

  /** A file on a disk with so much room and no more; what does not fit is written in part. */
  private final class LimitedFile implements SegmentFile {
    private final SegmentFile file;

    LimitedFile(SegmentFile file) {
      this.file = file;
    }

    @Override
    public Path path() {
      return file.path();
    }

    @Override
    public long length() throws IOException {
      return file.length();
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      if (broken) {
        throw new IllegalStateException("not an error of the disk");
      }
      long room = roomOnDisk.get();
      if (source.remaining() > room) {
        file.write(source.slice(source.position(), (int) room), position);
        throw new IOException("No space left on device");
      }
      file.write(source, position);
    }

    @Override
    public long read(MemorySegment target, long length, long position) throws IOException {
      if (readsFail) {
        throw new IOException("Input/output error");
      }
      return file.read(target, length, position);
    }

    @Override
    public void truncate(long length) throws IOException {
      file.truncate(length);
    }

    @Override
    public MemorySegment mapping() {
      return file.mapping();
    }

    @Override
    public void unlink() throws IOException {
      file.unlink();
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
