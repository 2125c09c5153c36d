package io.quiver.server.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.RankingJob;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SpaceKeepersTest {
  private static final SpaceId KEPT = new SpaceId("ds-lru");
  private static final SpaceId OTHER = new SpaceId("ds-other");
  private static final int BYTES = 8 << 10;
  private static final RankingJob NOBODY = new RankingJob("", RankingJob.NO_POSITION);

  @TempDir private Path folder;

  private SsdBlobStore open() throws Exception {
    return SsdBlobStore.open(SsdStoreConfig.of(List.of(folder), 256L << 20), RecoveryProgress.NONE);
  }

  private static byte[] content(int number) {
    byte[] bytes = new byte[BYTES];
    new Random(number).nextBytes(bytes);
    return bytes;
  }

  private static ContentHash hash(int number) {
    return ContentHash.ofContent(content(number));
  }

  private static PutOutcome put(SpaceKeepers keepers, SpaceId space, int number) {
    return keepers.put(
        new Offer(hash(number), space, BYTES), ByteBuffer.wrap(content(number)), NOBODY);
  }

  private static boolean has(BlobStore store, int number) {
    return store.contains(List.of(hash(number)))[0];
  }

  private static void read(BlobStore store, int number) {
    try (BlobBatch batch = store.read(List.of(hash(number)), 1, Long.MAX_VALUE)) {
      assertThat(batch.hits()).isEqualTo(1);
    }
  }

  private static long blobs(BlobStore store, SpaceId space) {
    return store.spaces().stream()
        .filter(usage -> usage.space().equals(space))
        .mapToLong(SpaceUsage::blobs)
        .sum();
  }

  private static SpaceOrder recent(int blobs) {
    return new SpaceOrder(KEPT, KeeperKind.RECENT, (long) blobs * BYTES);
  }

  @Test
  void readsTouchTheKeeperOfTheirSpace() throws Exception {
    try (BlobStore store = open()) {
      SpaceKeepers keepers = new SpaceKeepers(store);
      keepers.order(List.of(recent(3)));
      for (int i = 0; i < 3; i++) {
        put(keepers, KEPT, i);
      }
      read(store, 0);
      put(keepers, KEPT, 3);
      assertThat(has(store, 0)).isTrue();
      assertThat(has(store, 1)).isFalse();
      assertThat(blobs(store, KEPT)).isEqualTo(3);
    }
  }

  @Test
  void aLoweredQuotaEvictsAtOnce() throws Exception {
    try (BlobStore store = open()) {
      SpaceKeepers keepers = new SpaceKeepers(store);
      keepers.order(List.of(recent(50)));
      for (int i = 0; i < 50; i++) {
        put(keepers, KEPT, i);
      }
      keepers.order(List.of(recent(10)));
      assertThat(blobs(store, KEPT)).isEqualTo(10);
      assertThat(has(store, 49)).isTrue();
      assertThat(has(store, 0)).isFalse();
    }
  }

  @Test
  void aKeptSpaceSurvivesARestartInTheOrderOfWriting() throws Exception {
    try (BlobStore store = open()) {
      SpaceKeepers keepers = new SpaceKeepers(store);
      keepers.order(List.of(recent(20)));
      for (int i = 0; i < 20; i++) {
        put(keepers, KEPT, i);
      }
    }
    try (BlobStore store = open()) {
      SpaceKeepers keepers = new SpaceKeepers(store);
      keepers.order(List.of(recent(20)));
      assertThat(keepers.reports().spaces().getFirst().report().blobs()).isEqualTo(20);
      put(keepers, KEPT, 20);
      assertThat(has(store, 0)).as("the oldest goes first").isFalse();
      assertThat(has(store, 1)).isTrue();
      keepers.order(List.of(recent(5)));
      assertThat(blobs(store, KEPT)).isEqualTo(5);
    }
  }

  @Test
  void aBlobOfTwoSpacesLeavesOneOfThemOnly() throws Exception {
    try (BlobStore store = open()) {
      SpaceKeepers keepers = new SpaceKeepers(store);
      keepers.order(List.of(recent(2), SpaceOrder.fixed(OTHER)));
      put(keepers, KEPT, 0);
      put(keepers, OTHER, 0);
      put(keepers, KEPT, 1);
      put(keepers, KEPT, 2);
      assertThat(has(store, 0)).as("the other space has it still").isTrue();
      assertThat(blobs(store, KEPT)).isEqualTo(2);
      assertThat(blobs(store, OTHER)).isEqualTo(1);
      read(store, 0);
      keepers.drop(Set.of(OTHER), false);
      assertThat(has(store, 0)).isFalse();
    }
  }

  @Test
  void aSpaceThatIsFullRefusesUnderAUniformKeeper() throws Exception {
    try (BlobStore store = open()) {
      SpaceKeepers keepers = new SpaceKeepers(store);
      keepers.order(List.of(new SpaceOrder(KEPT, KeeperKind.UNIFORM, 2L * BYTES)));
      assertThat(put(keepers, KEPT, 0)).isEqualTo(PutOutcome.STORED);
      assertThat(put(keepers, KEPT, 1)).isEqualTo(PutOutcome.STORED);
      assertThat(put(keepers, KEPT, 2)).isEqualTo(PutOutcome.NO_ROOM);
      assertThat(put(keepers, KEPT, 1)).isEqualTo(PutOutcome.ALREADY_HERE);
    }
  }

  @Test
  void aWrongBlobEvictsNothing() throws Exception {
    try (BlobStore store = open()) {
      SpaceKeepers keepers = new SpaceKeepers(store);
      keepers.order(List.of(recent(1)));
      put(keepers, KEPT, 0);
      PutOutcome outcome =
          keepers.put(new Offer(hash(1), KEPT, BYTES), ByteBuffer.wrap(content(2)), NOBODY);
      assertThat(outcome).isEqualTo(PutOutcome.HASH_MISMATCH);
      assertThat(has(store, 0)).isTrue();
    }
  }
}
