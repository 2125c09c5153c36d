package io.quiver.store.ssd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.space.SpaceId;
import io.quiver.store.Blob;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobBatch.BlobStatus;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Helps the tests of the SSD store: small stores, and changes to their files. */
final class StoreFixture {
  static final SpaceId A = new SpaceId("a");
  static final SpaceId B = new SpaceId("b");
  static final long CAPACITY = 16 << 20;
  static final int MAX_BLOB = 1 << 20;
  static final int SEGMENT = 512 << 10;

  private StoreFixture() {}

  static SsdStoreConfig config(Path... directories) {
    return new SsdStoreConfig(
        List.of(directories), CAPACITY * directories.length, MAX_BLOB, SEGMENT, 4, 4 << 20);
  }

  static SsdBlobStore open(Path... directories) {
    try {
      return SsdBlobStore.open(config(directories), RecoveryProgress.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static PutOutcome put(BlobStore store, SpaceId space, Blob blob) {
    return store.put(blob.hash(), space, blob.buffer());
  }

  /** Returns the content the store has for a blob, or null for a miss. */
  static byte @Nullable [] get(BlobStore store, Blob blob) {
    try (BlobBatch batch = store.read(List.of(blob.hash()), 1, Long.MAX_VALUE)) {
      return batch.status(0) == BlobStatus.HIT ? Blob.bytes(batch.bytes(0)) : null;
    }
  }

  static byte @Nullable [] getChecked(BlobStore store, Blob blob) {
    try (BlobBatch batch = store.readChecked(List.of(blob.hash()), 1, Long.MAX_VALUE)) {
      return batch.status(0) == BlobStatus.HIT ? Blob.bytes(batch.bytes(0)) : null;
    }
  }

  /** Returns true if the store has the blob; fails when it has other bytes under its name. */
  static boolean hasRight(BlobStore store, Blob blob) {
    byte[] found = get(store, blob);
    if (found != null) {
      assertThat(found).as("bytes served for %s", blob.hash()).isEqualTo(blob.content());
    }
    return found != null;
  }

  static List<Path> segmentFiles(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(path -> path.toString().endsWith(SegmentFiles.SUFFIX)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static long fileBytes(Path directory) {
    return segmentFiles(directory).stream().mapToLong(path -> path.toFile().length()).sum();
  }

  /**
   * Waits until files of this length are left. What was dropped goes when the sweeper, too, has
   * left it.
   */
  static void awaitUsed(SsdBlobStore store, long bytes, String where) {
    long begin = System.nanoTime();
    while (store.usage().usedBytes() != bytes
        && System.nanoTime() - begin < TimeUnit.MINUTES.toNanos(1)) {
      Thread.onSpinWait();
    }
    assertThat(store.usage().usedBytes()).as(where).isEqualTo(bytes);
  }

  /** Has the system forget the pages of all segments. */
  static void dropFromMemory(Path directory) throws IOException, InterruptedException {
    for (Path file : segmentFiles(directory)) {
      run("dd", "if=/dev/null", "of=" + file, "conv=notrunc,fdatasync", "status=none");
      run("dd", "if=" + file, "iflag=nocache", "count=0", "status=none");
    }
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  /** Flips one bit of a file, behind the store's back. */
  static void flipBit(Path file, long position, int bit) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, position);
      one.put(0, (byte) (one.get(0) ^ (1 << bit)));
      channel.write(one.rewind(), position);
    }
  }
}
