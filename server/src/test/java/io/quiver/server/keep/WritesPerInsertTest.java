package io.quiver.server.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import io.quiver.testkit.SeededRuns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that is full writes at most two bytes for each that is inserted, because scattered
 * victims leave gaps that the store must rewrite their neighbours to use.
 */
final class WritesPerInsertTest {
  private static final SpaceId SPACE = new SpaceId("st-full");
  private static final long CAPACITY = 32L << 20;
  private static final int BYTES = 16 << 10;
  private static final int KEYS = (int) (3 * CAPACITY / BYTES);
  private static final int FULL = (int) (CAPACITY / BYTES);
  private static final int TURNS = 3;

  @TempDir private Path folder;

  /** One store under a load of skewed reads whose misses are inserted. */
  private static final class Load {
    private final BlobStore store;
    private final SpaceKeepers keepers;
    private final Random random;
    private final byte[] content = new byte[BYTES];
    private final ContentHash[] hashes = new ContentHash[KEYS];

    Load(BlobStore store, KeeperKind kind, Random random) {
      this.store = store;
      this.keepers = new SpaceKeepers(store);
      this.random = random;
      random.nextBytes(content);
      keepers.order(List.of(new SpaceOrder(SPACE, kind, CAPACITY)));
    }

    /** Reads until this many blobs were inserted, and returns the bytes of those. */
    long insert(int blobs) {
      int inserted = 0;
      while (inserted < blobs) {
        int key = (int) (KEYS * Math.pow(random.nextDouble(), 1.5));
        if (!isRead(key)) {
          assertThat(put(key)).isEqualTo(PutOutcome.STORED);
          inserted++;
        }
      }
      return (long) inserted * BYTES;
    }

    private ByteBuffer content(int key) {
      ByteBuffer bytes = ByteBuffer.wrap(content.clone()).putInt(0, key);
      if (hashes[key] == null) {
        hashes[key] = ContentHash.ofContent(bytes);
      }
      return bytes;
    }

    private boolean isRead(int key) {
      if (hashes[key] == null) {
        return false;
      }
      try (BlobBatch batch = store.read(List.of(hashes[key]), 1, Long.MAX_VALUE)) {
        return batch.hits() == 1;
      }
    }

    private PutOutcome put(int key) {
      ByteBuffer bytes = content(key);
      return keepers.put(hashes[key], SPACE, bytes);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RECENT", "FIFO3", "RANKED"})
  void aFullServerWritesAtMostTwoBytesForEachInserted(KeeperKind kind) {
    SeededRuns.run(1, random -> writesAtMostTwoBytesForEachInserted(kind, random));
  }

  private void writesAtMostTwoBytesForEachInserted(KeeperKind kind, Random random)
      throws IOException {
    Path directory = Files.createDirectory(folder.resolve(kind.word()));
    SsdStoreConfig config = SsdStoreConfig.of(List.of(directory), CAPACITY);
    try (BlobStore store = SsdBlobStore.open(config, RecoveryProgress.NONE)) {
      Load load = new Load(store, kind, random);
      load.insert(FULL);
      for (int turn = 1; turn <= TURNS; turn++) {
        long before = store.usage().activity().writtenBytes();
        long inserted = load.insert(FULL);
        double writes = (double) (store.usage().activity().writtenBytes() - before) / inserted;
        assertThat(writes).as("writes per byte in turn %d", turn).isLessThanOrEqualTo(2.0);
      }
    }
  }
}
