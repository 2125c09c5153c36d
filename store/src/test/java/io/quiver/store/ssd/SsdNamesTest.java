package io.quiver.store.ssd;

import static io.quiver.store.ssd.StoreFixture.A;
import static io.quiver.store.ssd.StoreFixture.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.store.Blob;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.NameStoreContract;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names on disk: restarts, damage, cold pages, moves, and ends in the middle of a rebinding. */
final class SsdNamesTest extends NameStoreContract {
  /** Records of the old binding, each of which is marked before the new one is written. */
  private static final int MARKS = 2;

  @TempDir Path folder;

  @Override
  protected BlobStore open(Path directory, long capacityBytes) throws IOException {
    return SsdBlobStore.open(StoreFixture.config(directory), RecoveryProgress.NONE);
  }

  @Test
  void namesSurviveARestartBesideBlobsAndTheirOwners() {
    Blob blob = Blob.numbered(1, 3000);
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      StoreFixture.put(store, A, blob);
      bindAll(store, 500);
      store.bind(binding(3, 3), B);
      store.bind(binding(4, 99), A);
    }
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      assertThat(StoreFixture.hasRight(store, blob)).isTrue();
      assertThat(store.usage().names()).isEqualTo(500);
      assertThat(store.usage().blobs()).isEqualTo(1);
      assertThat(resolve(store, 4)).contains(binding(4, 99));
      store.drop(A);
      assertThat(resolve(store, 3)).contains(binding(3, 3));
      assertThat(store.usage().names()).isEqualTo(1);
      store.drop(B);
      assertThat(store.usage().liveBytes()).isZero();
    }
  }

  @Test
  void aNameTakesOneHundredAndTwentyEightBytesOfDisk() {
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      bindAll(store, 1000);
      assertThat(StoreFixture.fileBytes(folder))
          .isLessThanOrEqualTo(1000 * BlobStore.NAME_BYTES + SegmentHeader.BYTES)
          .isGreaterThan(999 * BlobStore.NAME_BYTES);
      assertThat(store.usage().liveBytes()).isEqualTo(1000 * BlobStore.NAME_BYTES);
    }
  }

  @Test
  void aDamagedNameIsNotBoundAndCostsNoOther() throws Exception {
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      bindAll(store, 100);
    }
    Path file = StoreFixture.segmentFiles(folder).getFirst();
    long third = SegmentHeader.BYTES + 2 * BlobStore.NAME_BYTES;
    StoreFixture.flipBit(file, third + RecordHeader.BYTES + 5, 3);
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      assertThat(resolve(store, 2)).isEmpty();
      for (int i = 3; i < 100; i++) {
        assertThat(resolve(store, i)).contains(binding(i, i));
      }
      assertThat(store.bind(binding(2, 2), A)).isEqualTo(PutOutcome.STORED);
      assertThat(resolve(store, 2)).contains(binding(2, 2));
    }
  }

  @Test
  void damageThatComesWhileTheStoreIsOpenIsFoundWhereTheNameWasNotReadYet() throws Exception {
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      bindAll(store, 10);
    }
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      Path file = StoreFixture.segmentFiles(folder).getFirst();
      StoreFixture.flipBit(file, SegmentHeader.BYTES + RecordHeader.BYTES + 33, 1);
      assertThat(resolve(store, 0)).isEmpty();
      assertThat(store.usage().activity().corruptBlobs()).isEqualTo(1);
      assertThat(store.usage().names()).isEqualTo(9);
    }
  }

  @Test
  void coldNamesAreReadAndBecomeWarm() throws Exception {
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      bindAll(store, 3000);
    }
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      StoreFixture.dropFromMemory(folder);
      requireAll(store, 3000);
      assumeTrue(
          store.usage().activity().coldReads() > 0, "this file system keeps everything in memory");
      requireAll(store, 3000);
      long again = store.usage().activity().coldReads();
      requireAll(store, 3000);
      assertThat(store.usage().activity().coldReads()).as("warm by now").isEqualTo(again);
    }
  }

  @Test
  void namesMoveWhenTheDiskIsCollected() {
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      List<Blob> blobs = new ArrayList<>();
      int names = 0;
      Blob blob = Blob.numbered(0, 20_000);
      while (StoreFixture.put(store, A, blob) == PutOutcome.STORED) {
        blobs.add(blob);
        assertThat(store.bind(binding(names, names), A)).isEqualTo(PutOutcome.STORED);
        names++;
        blob = Blob.numbered(blobs.size(), 20_000);
      }
      for (int i = 0; i < blobs.size(); i += 2) {
        store.evict(blobs.get(i).hash(), A);
      }
      for (int i = 0; i < blobs.size() / 2; i++) {
        StoreFixture.put(store, B, Blob.numbered(100_000 + i, 20_000));
      }
      assertThat(store.usage().activity().writtenBytes())
          .as("some were moved")
          .isGreaterThan(blobs.size() * 31_000L);
      requireAll(store, names);
      assertThat(store.usage().names()).isEqualTo(names);
    }
  }

  @Test
  void twoRecordsThatContradictEachOtherAreBothForgotten() throws Exception {
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      bindAll(store, 5);
      store.bind(binding(2, 77), A);
    }
    revive(2);
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      assertThat(resolve(store, 2)).isEmpty();
      assertThat(store.usage().names()).isEqualTo(4);
      assertThat(store.usage().liveBytes()).isEqualTo(4 * BlobStore.NAME_BYTES);
      assertThat(store.bind(binding(2, 78), A)).isEqualTo(PutOutcome.STORED);
    }
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      assertThat(resolve(store, 2)).contains(binding(2, 78));
    }
  }

  @Test
  void aBlobIsKeptAndTheNameItReplacedIsNotWhenBothAreFound() throws Exception {
    Blob blob = Blob.numbered(1, 1000);
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      store.bind(new NameBinding(new BlockName(blob.hash()), binding(0, 0).hash(), 9), A);
      assertThat(StoreFixture.put(store, A, blob)).isEqualTo(PutOutcome.STORED);
    }
    revive(0);
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      assertThat(StoreFixture.hasRight(store, blob)).isTrue();
      assertThat(store.usage().names()).isZero();
    }
  }

  /** Makes a record of the first segment, all of whose records are names, live again. */
  private void revive(int record) throws IOException {
    Path file = StoreFixture.segmentFiles(folder).getFirst();
    long at = SegmentHeader.BYTES + record * BlobStore.NAME_BYTES + RecordHeader.STATE_OFFSET;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {RecordHeader.LIVE}), at);
    }
  }

  @Test
  void anEndAnywhereInARebindingLeavesTheOldBindingNoneOrTheNew() throws Exception {
    long writes = 0;
    while (rebind(writes)) {
      writes++;
    }
    assertThat(writes).as("marks and the record").isBetween(MARKS + 1L, 8L);
  }

  /** Rebinds a name in a process that ends after some writes; returns true if it did. */
  private boolean rebind(long writes) throws IOException {
    Path own = Files.createDirectory(folder.resolve("killed-" + writes));
    AtomicLong left = new AtomicLong(Long.MAX_VALUE);
    try (SsdBlobStore store =
        SsdBlobStore.open(
            StoreFixture.config(own),
            RecoveryProgress.NONE,
            (path, bytes) -> mortal(new NativeSegmentFile(path, bytes), left),
            System::nanoTime)) {
      store.bind(binding(1, 1), A);
      store.bind(binding(1, 1), B);
      left.set(writes);
      store.bind(binding(1, 2), B);
    }
    boolean died = left.get() < 0;
    try (SsdBlobStore store = StoreFixture.open(own)) {
      Optional<NameBinding> found = resolve(store, 1);
      if (!died) {
        assertThat(found).contains(binding(1, 2));
      } else if (writes >= MARKS) {
        assertThat(found).as("after %d writes", writes).isNotEqualTo(Optional.of(binding(1, 1)));
      } else {
        assertThat(found).as("after %d writes", writes).contains(binding(1, 1));
      }
      store.drop(Set.of(A, B));
      assertThat(store.usage().liveBytes()).isZero();
    }
    return died;
  }

  /** Returns a file that nothing reaches any more after so many writes. */
  private static SegmentFile mortal(SegmentFile file, AtomicLong left) {
    return (SegmentFile)
        Proxy.newProxyInstance(
            SegmentFile.class.getClassLoader(),
            new Class<?>[] {SegmentFile.class},
            (proxy, method, arguments) -> {
              boolean changes = Set.of("write", "truncate", "unlink").contains(method.getName());
              boolean dead = changes && left.decrementAndGet() < 0;
              return dead ? null : method.invoke(file, arguments);
            });
  }

  private static void bindAll(SsdBlobStore store, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(store.bind(binding(i, i), A)).isEqualTo(PutOutcome.STORED);
    }
  }

  private static void requireAll(SsdBlobStore store, int count) {
    List<BlockName> names = new ArrayList<>();
    List<Optional<NameBinding>> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(binding(i, i).name());
      expected.add(Optional.of(binding(i, i)));
    }
    assertThat(store.resolve(names)).isEqualTo(expected);
  }

  private static Optional<NameBinding> resolve(SsdBlobStore store, int name) {
    return store.resolve(List.of(binding(name, 0).name())).getFirst();
  }
}
