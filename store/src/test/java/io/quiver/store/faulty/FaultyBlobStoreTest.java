package io.quiver.store.faulty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.Blob;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStoreContract;
import io.quiver.store.memory.MemoryBlobStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Without faults it keeps the contract; with them it breaks it as told, and repeatably. */
final class FaultyBlobStoreTest extends BlobStoreContract {
  @Override
  protected BlobStore open(Path directory, long capacityBytes) {
    return new FaultyBlobStore(new MemoryBlobStore(capacityBytes, MAX_BLOB), Faults.none(1));
  }

  @Test
  void theSameSeedFailsTheSameWay() {
    List<PutOutcome> first = outcomes(5);
    assertThat(first).contains(PutOutcome.STORED, PutOutcome.DISK_FAILURE);
    assertThat(outcomes(5)).isEqualTo(first);
    assertThat(outcomes(6)).isNotEqualTo(first);
  }

  private static List<PutOutcome> outcomes(long seed) {
    List<PutOutcome> outcomes = new ArrayList<>();
    try (BlobStore store =
        new FaultyBlobStore(
            new MemoryBlobStore(1 << 20, 1000), Faults.none(seed).withRefusing(0.3))) {
      for (int i = 0; i < 100; i++) {
        Blob blob = Blob.numbered(i, 10);
        outcomes.add(store.put(blob.hash(), SpaceId.DEFAULT, blob.buffer()));
      }
    }
    return outcomes;
  }

  @Test
  void someBlobsAreMissedUntilTheFaultIsMended() {
    try (FaultyBlobStore store =
        new FaultyBlobStore(new MemoryBlobStore(1 << 20, 1000), Faults.none(3).withMissing(0.5))) {
      List<ContentHash> hashes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Blob blob = Blob.numbered(i, 10);
        store.put(blob.hash(), SpaceId.DEFAULT, blob.buffer());
        hashes.add(blob.hash());
      }
      try (BlobBatch batch = store.read(hashes, 100, Long.MAX_VALUE)) {
        assertThat(batch.hits()).isBetween(20, 80);
      }
      store.faults(Faults.none(3));
      try (BlobBatch batch = store.read(hashes, 100, Long.MAX_VALUE)) {
        assertThat(batch.hits()).isEqualTo(100);
      }
    }
  }

  @Test
  void sharesAreFromZeroToOne() {
    assertThatThrownBy(() -> Faults.none(1).withMissing(1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("missing is 1.5");
  }
}
