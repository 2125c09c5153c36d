package io.quiver.store.ssd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.Blob;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobBatch.BlobStatus;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import io.quiver.store.StoreUsage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything at once on a store that is full most of the time; every byte served is compared. */
final class StressTest {
  private static final int STEPS = Boolean.getBoolean("quiver.test.long") ? 100_000 : 1_500;
  private static final int ACTORS = 6;
  private static final int BLOBS = 300;

  @TempDir Path directory;

  private final List<Blob> blobs = new ArrayList<>();
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong stored = new AtomicLong();

  @Test
  void readersWritersAndEvictorsNeverSeeAWrongByte() throws Exception {
    long seed = Long.getLong("quiver.test.seed", 61);
    Random random = new Random(seed);
    for (int i = 0; i < BLOBS; i++) {
      blobs.add(Blob.random(random, random.nextInt(40_000)));
    }
    SsdStoreConfig config =
        new SsdStoreConfig(List.of(directory), 5 << 20, 256 << 10, 256 << 10, 4, 1 << 20);
    try (SsdBlobStore store = SsdBlobStore.open(config, RecoveryProgress.NONE)) {
      runAll(store, seed);
      checkBooks(store);
      assertThat(hits.get()).isGreaterThan(STEPS);
      assertThat(stored.get()).isGreaterThan(BLOBS);
    }
    try (SsdBlobStore store = SsdBlobStore.open(config, RecoveryProgress.NONE)) {
      blobs.forEach(blob -> StoreFixture.hasRight(store, blob));
      checkBooks(store);
    }
  }

  private void runAll(SsdBlobStore store, long seed) throws Exception {
    List<Callable<Boolean>> actors = new ArrayList<>();
    for (int i = 0; i < ACTORS; i++) {
      long own = seed * 100 + i;
      actors.add(() -> act(store, own));
    }
    actors.add(() -> {
      Random random = new Random(seed);
      for (int i = 0; i < STEPS / 50; i++) {
        store.drop(space(random));
        StoreUsage usage = store.usage();
        assertThat(usage.usedBytes()).isLessThanOrEqualTo(usage.capacityBytes());
      }
      return true;
    });
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (Future<Boolean> actor : threads.invokeAll(actors)) {
        assertThat(actor.get()).as("seed %d", seed).isTrue();
      }
    }
  }

  /** Does a bit of everything, so that the mix is the same however threads are scheduled. */
  private boolean act(SsdBlobStore store, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      int chance = random.nextInt(10);
      if (chance < 5) {
        put(store, random);
      } else if (chance < 7) {
        evict(store, random);
      } else {
        read(store, random);
      }
    }
    return true;
  }

  private void put(SsdBlobStore store, Random random) {
    PutOutcome outcome = StoreFixture.put(store, space(random), blob(random));
    assertThat(outcome).isIn(PutOutcome.STORED, PutOutcome.ALREADY_HERE, PutOutcome.NO_ROOM);
    if (outcome == PutOutcome.STORED) {
      stored.incrementAndGet();
    }
  }

  private void evict(SsdBlobStore store, Random random) {
    store.evict(blob(random).hash(), space(random));
  }

  private void read(SsdBlobStore store, Random random) {
    List<Blob> asked = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      asked.add(blob(random));
    }
    List<ContentHash> hashes = asked.stream().map(Blob::hash).toList();
    try (BlobBatch batch =
        random.nextBoolean()
            ? store.read(hashes, 10, Long.MAX_VALUE)
            : store.readChecked(hashes, 5, 100_000)) {
      for (int i = 0; i < 10; i++) {
        if (batch.status(i) == BlobStatus.HIT) {
          assertThat(Blob.bytes(batch.bytes(i))).isEqualTo(asked.get(i).content());
          hits.incrementAndGet();
        }
      }
    }
  }

  /** Checks that the counters add up while nobody is at work. */
  private void checkBooks(SsdBlobStore store) {
    StoreUsage usage = store.usage();
    long here = blobs.stream().filter(blob -> StoreFixture.hasRight(store, blob)).count();
    assertThat(usage.blobs()).isEqualTo(here);
    assertThat(usage.activity().corruptBlobs()).isZero();
    assertThat(usage.activity().failures()).isZero();
    long charged = store.spaces().stream().mapToLong(SpaceUsage::chargedBytes).sum();
    assertThat(charged).isEqualTo(usage.liveBytes());
    assertThat(StoreFixture.fileBytes(directory)).isLessThanOrEqualTo(usage.usedBytes());
  }

  private Blob blob(Random random) {
    return blobs.get(random.nextInt(BLOBS));
  }

  private static SpaceId space(Random random) {
    return new SpaceId("space-" + random.nextInt(3));
  }
}
