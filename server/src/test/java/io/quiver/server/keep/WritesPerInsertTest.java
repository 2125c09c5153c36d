package io.quiver.server.keep;

import static io.quiver.core.keep.KeeperKind.RANKED;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.PriorityScales;
import io.quiver.core.keep.RankingJob;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.RankFrame;
import io.quiver.protocol.RankFrame.Row;
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
import java.util.Set;
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

  /**
   * One store under a load of skewed reads whose misses are inserted. Every read draws the next use
   * of its blob, which is the priority in a ranked space.
   */
  private static final class Load {
    private final BlobStore store;
    private final SpaceKeepers keepers;
    private final KeeperKind kind;
    private final Random random;
    private long position;
    private final byte[] content = new byte[BYTES];
    private final ContentHash[] hashes = new ContentHash[KEYS];

    Load(BlobStore store, KeeperKind kind, Random random) {
      this.store = store;
      this.keepers = new SpaceKeepers(store);
      this.kind = kind;
      this.random = random;
      random.nextBytes(content);
      keepers.order(List.of(new SpaceOrder(SPACE, kind, CAPACITY)));
    }

    /** Reads until this many blobs were inserted, and returns the bytes of those. */
    long insert(int blobs) {
      int inserted = 0;
      while (inserted < blobs) {
        int key = (int) (KEYS * Math.pow(random.nextDouble(), 1.5));
        long nextUse = ++position + random.nextInt(KEYS);
        if (isRead(key)) {
          rank(key, nextUse);
        } else if (put(key, nextUse) == PutOutcome.STORED) {
          inserted++;
        } else {
          assertThat(kind).as("the keeper that refuses what is outranked").isEqualTo(RANKED);
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

    private void rank(int key, long nextUse) {
      Row row = new Row(hashes[key], PriorityScales.ofNextUse(nextUse));
      assertThat(keepers.rank(new RankFrame(SPACE, List.of(row)), job()).isPresent())
          .isEqualTo(kind == RANKED);
    }

    private PutOutcome put(int key, long nextUse) {
      ByteBuffer bytes = content(key);
      keepers.hear(job(), Set.of(SPACE));
      long priority = PriorityScales.ofNextUse(nextUse);
      return keepers.put(new Offer(hashes[key], SPACE, BYTES, priority), bytes, job());
    }

    private RankingJob job() {
      return new RankingJob("load", position);
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
