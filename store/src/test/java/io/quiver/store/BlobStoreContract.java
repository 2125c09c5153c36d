package io.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobBatch.BlobStatus;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntPredicate;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the contract of every blob store; an implementation's test only supplies the instance. */
public abstract class BlobStoreContract {
  /** Longest blob the stores under test take. */
  protected static final int MAX_BLOB = 1 << 20;

  private static final SpaceId A = new SpaceId("a");
  private static final SpaceId B = new SpaceId("b");
  private static final SpaceId C = new SpaceId("c");

  @TempDir Path directory;
  private final Random random = new Random(42);
  private BlobStore store;

  /** Returns a store of this capacity that takes blobs up to {@link #MAX_BLOB}. */
  protected abstract BlobStore open(Path directory, long capacityBytes) throws Exception;

  @BeforeEach
  void openStore() throws Exception {
    store = open(directory, 16 << 20);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void readsBackWhatWasPut() {
    Blob blob = blob(1000);
    assertThat(put(A, blob)).isEqualTo(PutOutcome.STORED);
    assertThat(contentOf(blob)).isEqualTo(blob.content());
    assertThat(store.contains(List.of(blob.hash(), blob(10).hash()))).containsExactly(true, false);
  }

  @Test
  void keepsBlobsOfAnyLength() {
    for (int length : new int[] {0, 1, 63, 64, 65, 4032, 4096, 65_536, 65_537, 300_000, MAX_BLOB}) {
      Blob blob = blob(length);
      assertThat(put(A, blob)).as("length %d", length).isEqualTo(PutOutcome.STORED);
      assertThat(contentOf(blob)).isEqualTo(blob.content());
    }
  }

  @Test
  void refusesBlobsThatAreTooLong() {
    assertThat(put(A, blob(MAX_BLOB + 1))).isEqualTo(PutOutcome.TOO_LARGE);
  }

  @Test
  void refusesContentThatDoesNotHaveItsHash() {
    Blob claimed = blob(100);
    PutOutcome outcome = store.put(claimed.hash(), A, blob(100).buffer());
    assertThat(outcome).isEqualTo(PutOutcome.HASH_MISMATCH);
    assertThat(store.contains(List.of(claimed.hash()))).containsExactly(false);
  }

  @Test
  void leavesThePositionOfThePutBufferAlone() {
    Blob blob = blob(100);
    ByteBuffer shifted = ByteBuffer.allocate(200).position(50);
    shifted.put(blob.content()).position(50).limit(150);
    assertThat(store.put(blob.hash(), A, shifted)).isEqualTo(PutOutcome.STORED);
    assertThat(shifted.position()).isEqualTo(50);
    assertThat(contentOf(blob)).isEqualTo(blob.content());
  }

  @Test
  void takesDirectAndReadOnlyBuffers() {
    Blob direct = blob(200_000);
    ByteBuffer memory = ByteBuffer.allocateDirect(200_000).put(direct.content()).flip();
    assertThat(store.put(direct.hash(), A, memory)).isEqualTo(PutOutcome.STORED);
    Blob readOnly = blob(500);
    assertThat(store.put(readOnly.hash(), A, readOnly.buffer().asReadOnlyBuffer()))
        .isEqualTo(PutOutcome.STORED);
    assertThat(contentOf(direct)).isEqualTo(direct.content());
    assertThat(contentOf(readOnly)).isEqualTo(readOnly.content());
  }

  @Test
  void answersWithDirectBuffersFromPositionZero() {
    Blob blob = blob(700);
    put(A, blob);
    try (BlobBatch batch = store.read(List.of(blob.hash()), 1, Long.MAX_VALUE)) {
      assertThat(batch.bytes(0).isDirect()).isTrue();
      assertThat(batch.bytes(0).position()).isZero();
      assertThat(batch.bytes(0).limit()).isEqualTo(700);
      assertThat(batch.crc32c(0)).isEqualTo(crc32c(blob.content()));
      assertThat(batch.hits()).isEqualTo(1);
      assertThat(batch.hitBytes()).isEqualTo(700);
      assertThat(batch.size()).isEqualTo(1);
    }
  }

  @Test
  void findsTheFirstWantedAndSkipsTheRest() {
    List<Blob> blobs = putMany(A, 5, 100);
    List<ContentHash> asked = new ArrayList<>(hashes(blobs));
    asked.add(1, blob(9).hash());
    try (BlobBatch batch = store.read(asked, 3, Long.MAX_VALUE)) {
      assertThat(statuses(batch))
          .containsExactly(
              BlobStatus.HIT,
              BlobStatus.MISS,
              BlobStatus.HIT,
              BlobStatus.HIT,
              BlobStatus.SKIPPED,
              BlobStatus.SKIPPED);
    }
  }

  @Test
  void defersWhatWouldMakeTheAnswerTooLong() {
    List<Blob> blobs = putMany(A, 4, 1000);
    try (BlobBatch batch = store.read(hashes(blobs), 4, 3000)) {
      assertThat(statuses(batch))
          .containsExactly(BlobStatus.HIT, BlobStatus.HIT, BlobStatus.HIT, BlobStatus.DEFERRED);
    }
    try (BlobBatch batch = store.read(hashes(blobs), 4, 2999)) {
      assertThat(statuses(batch))
          .containsExactly(
              BlobStatus.HIT, BlobStatus.HIT, BlobStatus.DEFERRED, BlobStatus.DEFERRED);
    }
  }

  @Test
  void findsOneBlobHoweverSmallTheBound() {
    List<Blob> blobs = putMany(A, 2, 1000);
    try (BlobBatch batch = store.read(hashes(blobs), 2, 1)) {
      assertThat(statuses(batch)).containsExactly(BlobStatus.HIT, BlobStatus.DEFERRED);
    }
  }

  @Test
  void answersTheSameHashTwiceWhenAskedTwice() {
    Blob blob = blob(300);
    put(A, blob);
    try (BlobBatch batch = store.read(List.of(blob.hash(), blob.hash()), 2, Long.MAX_VALUE)) {
      assertThat(batch.hits()).isEqualTo(2);
      assertThat(Blob.bytes(batch.bytes(0))).isEqualTo(blob.content());
      assertThat(Blob.bytes(batch.bytes(1))).isEqualTo(blob.content());
    }
  }

  @Test
  void refusesToLookForNothing() {
    ContentHash hash = blob(1).hash();
    assertThatThrownBy(() -> store.read(List.of(hash), 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.read(List.of(hash), 2, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void hasNoBytesForAMiss() {
    try (BlobBatch batch = store.read(List.of(blob(1).hash()), 1, 1)) {
      assertThat(batch.status(0)).isEqualTo(BlobStatus.MISS);
      assertThatThrownBy(() -> batch.bytes(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> batch.crc32c(0)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void keepsABlobOfTwoSpacesUntilTheLastOwnerGoes() {
    Blob blob = blob(5000);
    assertThat(put(A, blob)).isEqualTo(PutOutcome.STORED);
    assertThat(put(B, blob)).isEqualTo(PutOutcome.ALREADY_HERE);
    assertThat(put(B, blob)).isEqualTo(PutOutcome.ALREADY_HERE);
    assertThat(store.usage().blobs()).isEqualTo(1);
    assertThat(store.evict(blob.hash(), A)).isTrue();
    assertThat(store.evict(blob.hash(), A)).isFalse();
    assertThat(contentOf(blob)).isEqualTo(blob.content());
    assertThat(blobsOf(A)).isZero();
    assertThat(blobsOf(B)).isEqualTo(1);
    assertThat(store.evict(blob.hash(), B)).isTrue();
    assertThat(store.contains(List.of(blob.hash()))).containsExactly(false);
    assertThat(store.usage().blobs()).isZero();
  }

  @Test
  void chargesASharedBlobOnce() {
    Blob blob = blob(100_000);
    put(A, blob);
    long alone = charged(A);
    put(B, blob);
    assertThat(charged(A) + charged(B)).isBetween(alone, alone + 1000);
    store.evict(blob.hash(), A);
    assertThat(charged(A)).isZero();
    assertThat(charged(B)).isBetween(100_000L, 102_000L);
    put(A, blob);
    store.evict(blob.hash(), B);
    assertThat(charged(A)).isBetween(100_000L, 102_000L);
    assertThat(charged(B)).isZero();
    assertThat(contentOf(blob)).isEqualTo(blob.content());
  }

  @Test
  void droppingASpaceKeepsWhatOthersOwn() {
    List<Blob> mine = putMany(A, 20, 2000);
    List<Blob> shared = putMany(A, 10, 3000);
    shared.forEach(blob -> put(B, blob));
    List<Blob> others = putMany(B, 5, 1000);
    others.forEach(blob -> put(A, blob));
    assertThat(store.drop(A)).isBetween(20 * 2000L, 20 * 2000L + 10_000);
    assertThat(store.contains(hashes(mine))).containsOnly(false);
    shared.forEach(blob -> assertThat(contentOf(blob)).isEqualTo(blob.content()));
    others.forEach(blob -> assertThat(contentOf(blob)).isEqualTo(blob.content()));
    assertThat(store.usage().blobs()).isEqualTo(15);
    assertThat(blobsOf(B)).isEqualTo(15);
    assertThat(store.spaces()).extracting(SpaceUsage::space).containsExactly(B);
    assertThat(store.drop(B)).isGreaterThanOrEqualTo(10 * 3000 + 5 * 1000);
    assertThat(store.usage().blobs()).isZero();
    assertThat(store.usage().liveBytes()).isZero();
  }

  @Test
  void aDroppedSpaceCanBeFilledAgain() {
    List<Blob> blobs = putMany(A, 5, 1000);
    store.drop(A);
    blobs.forEach(blob -> assertThat(put(A, blob)).isEqualTo(PutOutcome.STORED));
    blobs.forEach(blob -> assertThat(contentOf(blob)).isEqualTo(blob.content()));
  }

  @Test
  void theBlobsOfSomeSlotsLeaveTheSpacesThatAreNamed() {
    List<Blob> blobs = putMany(A, 200, 1_000);
    blobs.subList(0, 100).forEach(blob -> put(B, blob));
    List<Blob> apart = putMany(C, 20, 1_000);
    IntPredicate odd = slot -> slot % 2 == 1;
    long oddOnes = blobs.stream().filter(blob -> odd.test(blob.hash().slot())).count();
    assertThat(store.evict(Set.of(A), odd)).isEqualTo(oddOnes).isPositive();
    for (int i = 0; i < blobs.size(); i++) {
      boolean stays = i < 100 || !odd.test(blobs.get(i).hash().slot());
      assertThat(store.contains(List.of(blobs.get(i).hash()))).containsExactly(stays);
    }
    assertThat(blobsOf(A)).isEqualTo(200 - oddOnes);
    assertThat(blobsOf(B)).isEqualTo(100);
    assertThat(blobsOf(C)).isEqualTo(apart.size());
    assertThat(store.evict(Set.of(A, B), slot -> true)).isEqualTo(300 - oddOnes);
    assertThat(store.usage().blobs()).isEqualTo(apart.size());
    assertThat(store.evict(Set.of(A, B), slot -> true)).isZero();
  }

  @Test
  void openBatchesOutliveEvictionAndDrop() {
    List<Blob> blobs = putMany(A, 10, 50_000);
    try (BlobBatch batch = store.read(hashes(blobs), 10, Long.MAX_VALUE)) {
      store.evict(blobs.get(0).hash(), A);
      store.drop(A);
      putMany(B, 20, 100_000);
      for (int i = 0; i < 10; i++) {
        assertThat(Blob.bytes(batch.bytes(i))).isEqualTo(blobs.get(i).content());
      }
    }
  }

  @Test
  void openBatchesOutliveTheStore() {
    Blob blob = blob(10_000);
    put(A, blob);
    try (BlobBatch batch = store.read(List.of(blob.hash()), 1, Long.MAX_VALUE)) {
      store.close();
      assertThat(Blob.bytes(batch.bytes(0))).isEqualTo(blob.content());
    }
  }

  @Test
  void refusesPutsPastASpacesLimit() {
    store.limit(A, 10_000);
    List<PutOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      outcomes.add(put(A, blob(1000)));
    }
    assertThat(outcomes).startsWith(PutOutcome.STORED).endsWith(PutOutcome.NO_ROOM);
    assertThat(charged(A)).isLessThanOrEqualTo(10_000);
    assertThat(put(B, blob(5000))).isEqualTo(PutOutcome.STORED);
    store.limit(A, 20_000);
    assertThat(put(A, blob(1000))).isEqualTo(PutOutcome.STORED);
    store.limit(A, 1);
    assertThat(blobsOf(A)).isGreaterThan(5);
    assertThat(put(A, blob(1000))).isEqualTo(PutOutcome.NO_ROOM);
  }

  @Test
  void aFullStoreRefusesAndRoomMadeByEvictionIsUsable() {
    List<Blob> blobs = new ArrayList<>();
    Blob blob = blob(20_000);
    while (put(A, blob) == PutOutcome.STORED) {
      blobs.add(blob);
      blob = blob(20_000);
    }
    assertThat(blobs).hasSizeGreaterThan(500);
    assertThat(store.usage().usedBytes()).isLessThanOrEqualTo(store.usage().capacityBytes());
    for (int i = 0; i < blobs.size(); i += 2) {
      assertThat(store.evict(blobs.get(i).hash(), A)).isTrue();
    }
    int again = 0;
    while (put(B, blob(20_000)) == PutOutcome.STORED) {
      again++;
    }
    assertThat(again).isGreaterThan(blobs.size() / 2 - 10);
    for (int i = 1; i < blobs.size(); i += 2) {
      assertThat(contentOf(blobs.get(i))).isEqualTo(blobs.get(i).content());
    }
  }

  @Test
  void oneOfManyConcurrentPutsOfABlobStoresIt() throws Exception {
    Blob blob = blob(100_000);
    List<Callable<PutOutcome>> puts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      puts.add(() -> put(A, blob));
    }
    List<PutOutcome> outcomes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<PutOutcome> put : threads.invokeAll(puts)) {
        outcomes.add(put.get());
      }
    }
    assertThat(outcomes).containsOnlyOnce(PutOutcome.STORED);
    assertThat(outcomes).filteredOn(PutOutcome.ALREADY_HERE::equals).hasSize(7);
  }

  @Test
  void checkedReadsAnswerTheSame() {
    List<Blob> blobs = putMany(A, 5, 1000);
    try (BlobBatch batch = store.readChecked(hashes(blobs), 4, 3000)) {
      assertThat(statuses(batch))
          .containsExactly(
              BlobStatus.HIT,
              BlobStatus.HIT,
              BlobStatus.HIT,
              BlobStatus.DEFERRED,
              BlobStatus.DEFERRED);
      assertThat(Blob.bytes(batch.bytes(2))).isEqualTo(blobs.get(2).content());
    }
  }

  @Test
  void aClosedStoreSaysSo() {
    ContentHash hash = blob(1).hash();
    store.close();
    store.close();
    assertThatThrownBy(() -> store.contains(List.of(hash)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.read(List.of(hash), 1, 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.evict(hash, A)).isInstanceOf(IllegalStateException.class);
  }

  private Blob blob(int length) {
    return Blob.random(random, length);
  }

  private PutOutcome put(SpaceId space, Blob blob) {
    return store.put(blob.hash(), space, blob.buffer());
  }

  private List<Blob> putMany(SpaceId space, int count, int length) {
    List<Blob> blobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blobs.add(blob(length));
      assertThat(put(space, blobs.getLast())).isEqualTo(PutOutcome.STORED);
    }
    return blobs;
  }

  private byte[] contentOf(Blob blob) {
    try (BlobBatch batch = store.read(List.of(blob.hash()), 1, Long.MAX_VALUE)) {
      assertThat(batch.status(0)).isEqualTo(BlobStatus.HIT);
      return Blob.bytes(batch.bytes(0));
    }
  }

  private long charged(SpaceId space) {
    return store.spaces().stream()
        .filter(usage -> usage.space().equals(space))
        .mapToLong(SpaceUsage::chargedBytes)
        .sum();
  }

  private long blobsOf(SpaceId space) {
    return store.spaces().stream()
        .filter(usage -> usage.space().equals(space))
        .mapToLong(SpaceUsage::blobs)
        .sum();
  }

  private static List<ContentHash> hashes(List<Blob> blobs) {
    return blobs.stream().map(Blob::hash).toList();
  }

  private static List<BlobStatus> statuses(BlobBatch batch) {
    List<BlobStatus> statuses = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      statuses.add(batch.status(i));
    }
    return statuses;
  }

  private static int crc32c(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return (int) crc.getValue();
  }
}
