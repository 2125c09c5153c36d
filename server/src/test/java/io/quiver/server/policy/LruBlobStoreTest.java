package io.quiver.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.Blob;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStatus;
import io.quiver.store.BlobStore;
import io.quiver.store.PutOutcome;
import io.quiver.store.SpaceUsage;
import io.quiver.store.memory.MemoryBlobStore;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LruBlobStoreTest {
  private static final SpaceId LRU = new SpaceId("lru");
  private static final SpaceId OTHER = new SpaceId("other");

  @TempDir Path folder;

  @Test
  void evictsFromTheStoreWhatWasReadLeastRecently() {
    try (BlobStore store = inMemory(300)) {
      List<Blob> blobs = IntStream.range(0, 4).mapToObj(i -> Blob.numbered(i, 100)).toList();
      blobs.subList(0, 3).forEach(blob -> assertThat(put(store, blob)).isEqualTo(stored()));
      assertThat(read(store, blobs.get(0))).isTrue();
      assertThat(put(store, blobs.get(3))).isEqualTo(stored());
      assertThat(contains(store, blobs)).containsExactly(true, false, true, true);
      assertThat(store.usage().blobs()).isEqualTo(3);
    }
  }

  @Test
  void askingWhetherABlobIsHereDoesNotCountAsUse() {
    try (BlobStore store = inMemory(200)) {
      List<Blob> blobs = IntStream.range(0, 3).mapToObj(i -> Blob.numbered(i, 100)).toList();
      put(store, blobs.get(0));
      put(store, blobs.get(1));
      contains(store, blobs.subList(0, 1));
      put(store, blobs.get(2));
      assertThat(contains(store, blobs)).containsExactly(false, true, true);
    }
  }

  @Test
  void anInsertOfWhatIsHereEvictsNothing() {
    try (BlobStore store = inMemory(200)) {
      Blob first = Blob.numbered(0, 100);
      Blob second = Blob.numbered(1, 100);
      put(store, first);
      put(store, second);
      assertThat(put(store, first)).isEqualTo(PutOutcome.ALREADY_HERE);
      assertThat(contains(store, List.of(first, second))).containsExactly(true, true);
    }
  }

  @Test
  void aBlobLongerThanTheQuotaIsRefusedAndEvictsNothing() {
    try (BlobStore store = inMemory(200)) {
      Blob small = Blob.numbered(0, 100);
      put(store, small);
      assertThat(put(store, Blob.numbered(1, 201))).isEqualTo(PutOutcome.NO_ROOM);
      assertThat(contains(store, List.of(small))).containsExactly(true);
    }
  }

  @Test
  void contentThatDoesNotHaveItsHashTakesNoRoom() {
    try (BlobStore store = inMemory(200)) {
      Blob claimed = Blob.numbered(0, 150);
      assertThat(store.put(claimed.hash(), LRU, Blob.numbered(1, 150).buffer()))
          .isEqualTo(PutOutcome.HASH_MISMATCH);
      Blob next = Blob.numbered(2, 200);
      assertThat(put(store, next)).isEqualTo(stored());
    }
  }

  @Test
  void aBlobThatAnotherSpaceOwnsStaysWhenThePolicyLetsItGo() {
    try (BlobStore store = inMemory(100)) {
      Blob shared = Blob.numbered(0, 100);
      store.put(shared.hash(), OTHER, shared.buffer());
      assertThat(put(store, shared)).isEqualTo(PutOutcome.ALREADY_HERE);
      put(store, Blob.numbered(1, 100));
      assertThat(contains(store, List.of(shared))).containsExactly(true);
    }
  }

  @Test
  void aDroppedSpaceIsEmptyAndTakesBlobsAgain() {
    try (BlobStore store = inMemory(200)) {
      Blob blob = Blob.numbered(0, 200);
      put(store, blob);
      assertThat(store.drop(LRU)).isEqualTo(200);
      assertThat(put(store, Blob.numbered(1, 200))).isEqualTo(stored());
      assertThat(contains(store, List.of(blob))).containsExactly(false);
    }
  }

  @Test
  void showsItsQuotaAsTheBoundOfTheSpaceAndFollowsANewOne() {
    try (BlobStore store = inMemory(200)) {
      put(store, Blob.numbered(0, 100));
      put(store, Blob.numbered(1, 100));
      assertThat(usage(store).limitBytes()).isEqualTo(200);
      store.limit(LRU, 150);
      put(store, Blob.numbered(2, 50));
      assertThat(usage(store)).isEqualTo(new SpaceUsage(LRU, 150, 150, 2));
    }
  }

  @Test
  void startsEmptyOverAStoreThatHeldBlobsOfAnEarlierProcess() throws IOException {
    Blob blob = Blob.numbered(0, 1000);
    try (BlobStore store = onDisk(10_000)) {
      put(store, blob);
    }
    try (BlobStore store = onDisk(10_000)) {
      assertThat(contains(store, List.of(blob))).containsExactly(false);
    }
  }

  @Test
  void refusesTwoPoliciesForOneSpace() {
    LruSpace space = LruSpace.of(LRU, 10);
    assertThatThrownBy(() -> new LruBlobStore(new MemoryBlobStore(100, 100), List.of(space, space)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lru");
  }

  /** The model: hashes in order of use. */
  @Test
  void holdsOnDiskExactlyWhatAListInOrderOfUseHolds() throws IOException {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    Random random = new Random(seed);
    long quota = 2 << 20;
    List<Blob> blobs =
        IntStream.range(0, 120).mapToObj(i -> Blob.random(random, random.nextInt(60_000))).toList();
    List<Blob> model = new ArrayList<>();
    try (BlobStore store = onDisk(quota)) {
      for (int step = 0; step < 2000; step++) {
        Blob blob = blobs.get(random.nextInt(blobs.size()));
        boolean here = model.remove(blob);
        assertThat(read(store, blob)).as("seed %d step %d", seed, step).isEqualTo(here);
        if (!here) {
          assertThat(put(store, blob)).as("seed %d step %d", seed, step).isEqualTo(stored());
          while (bytes(model) + blob.content().length > quota) {
            model.removeFirst();
          }
        }
        model.add(blob);
      }
      boolean[] expected = new boolean[blobs.size()];
      for (int i = 0; i < expected.length; i++) {
        expected[i] = model.contains(blobs.get(i));
      }
      assertThat(contains(store, blobs)).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void neverPassesItsQuotaWhileManyInsertAtOnce() throws Exception {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    long quota = 100_000;
    MemoryBlobStore below = new MemoryBlobStore(1 << 20, 1 << 20);
    try (BlobStore store = new LruBlobStore(below, List.of(LruSpace.of(LRU, quota)));
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        tasks.add(hammer(store, below, new Random(seed + t)));
      }
      for (Future<Long> highest : threads.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
        assertThat(highest.get()).as("seed %d", seed).isLessThanOrEqualTo(quota);
      }
      Blob whole = Blob.numbered(-1, (int) quota);
      assertThat(put(store, whole)).as("all room can be had: seed %d", seed).isEqualTo(stored());
      assertThat(below.usage().usedBytes()).as("seed %d", seed).isEqualTo(quota);
    }
  }

  private static Callable<Long> hammer(BlobStore store, BlobStore below, Random random) {
    return () -> {
      long highest = 0;
      for (int i = 0; i < 1500; i++) {
        int number = random.nextInt(100);
        Blob blob = Blob.numbered(number, 1 + number * 37);
        switch (random.nextInt(8)) {
          case 0 -> store.evict(blob.hash(), LRU);
          case 1 -> read(store, blob);
          default -> put(store, blob);
        }
        highest = Math.max(highest, below.usage().usedBytes());
      }
      return highest;
    };
  }

  @Test
  void hitsTwoPercentOfRandomEpochsWithAFifthOfTheData() {
    double c = 0.2;
    Random random = new Random(3);
    List<Blob> order =
        new ArrayList<>(IntStream.range(0, 4000).mapToObj(i -> Blob.numbered(i, 40)).toList());
    int hits = 0;
    int epochs = 6;
    try (BlobStore store = inMemory((long) (c * 40 * order.size()))) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        Collections.shuffle(order, random);
        for (Blob blob : order) {
          boolean hit = read(store, blob);
          hits += hit && epoch > 0 ? 1 : 0;
          if (!hit) {
            put(store, blob);
          }
        }
      }
    }
    double law = c + (1 - c) * Math.log(1 - c);
    assertThat(law).isCloseTo(0.0215, within(0.0001));
    assertThat(hits / (double) ((epochs - 1) * order.size())).isCloseTo(law, within(0.003));
  }

  private static BlobStore inMemory(long quota) {
    return new LruBlobStore(
        new MemoryBlobStore(1 << 20, 1 << 20), List.of(LruSpace.of(LRU, quota)));
  }

  private BlobStore onDisk(long quota) throws IOException {
    BlobStore below =
        SsdBlobStore.open(SsdStoreConfig.of(List.of(folder), 64 << 20), RecoveryProgress.NONE);
    return new LruBlobStore(below, List.of(LruSpace.of(LRU, quota)));
  }

  private static PutOutcome stored() {
    return PutOutcome.STORED;
  }

  private static PutOutcome put(BlobStore store, Blob blob) {
    return store.put(blob.hash(), LRU, blob.buffer());
  }

  private static boolean read(BlobStore store, Blob blob) {
    try (BlobBatch batch = store.read(List.of(blob.hash()), 1, Long.MAX_VALUE)) {
      return batch.status(0) == BlobStatus.HIT;
    }
  }

  private static boolean[] contains(BlobStore store, List<Blob> blobs) {
    List<ContentHash> hashes = blobs.stream().map(Blob::hash).toList();
    return store.contains(hashes);
  }

  private static long bytes(List<Blob> blobs) {
    return blobs.stream().mapToLong(blob -> blob.content().length).sum();
  }

  private static SpaceUsage usage(BlobStore store) {
    return store.spaces().stream()
        .filter(each -> each.space().equals(LRU))
        .findFirst()
        .orElseThrow();
  }
}
