package io.quiver.store.ssd;

import static io.quiver.store.ssd.StoreFixture.A;
import static io.quiver.store.ssd.StoreFixture.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.space.SpaceId;
import io.quiver.store.Blob;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ends a process after each single write of a move and looks at what the next one finds. */
final class KilledMoveTest {
  private static final Blob MOVED = Blob.numbered(1, 20_000);
  private static final int MOST_WRITES = 8;

  @TempDir Path directory;

  private final AtomicLong writesLeft = new AtomicLong();

  @Test
  void aSharedBlobSurvivesTheDropOfTheSpaceItLiesIn() throws Exception {
    moves(A, B, false);
    moves(B, A, false);
  }

  @Test
  void aBlobThatItsSpaceGaveUpSurvivesTheMoveToItsOwner() throws Exception {
    moves(A, B, true);
    moves(B, A, true);
  }

  private void moves(SpaceId home, SpaceId other, boolean disowned) throws Exception {
    long writes = 0;
    for (; move(home, other, disowned, writes); writes++) {
      assertThat(writes).isLessThan(MOST_WRITES);
    }
    assertThat(writes).as("a copy, and a mark on the reference and on the bytes").isPositive();
  }

  /** Drops the home of a blob in a process that dies after some writes; returns true if it did. */
  private boolean move(SpaceId home, SpaceId other, boolean disowned, long writes)
      throws Exception {
    Path folder = Files.createDirectory(directory.resolve(home + "-" + disowned + "-" + writes));
    writesLeft.set(Long.MAX_VALUE);
    try (SsdBlobStore store =
        SsdBlobStore.open(
            StoreFixture.config(folder),
            RecoveryProgress.NONE,
            (path, bytes) -> mortal(new NativeSegmentFile(path, bytes)),
            System::nanoTime)) {
      assertThat(StoreFixture.put(store, home, MOVED)).isEqualTo(PutOutcome.STORED);
      assertThat(StoreFixture.put(store, other, MOVED)).isEqualTo(PutOutcome.ALREADY_HERE);
      assertThat(disowned && !store.evict(MOVED.hash(), home)).isFalse();
      writesLeft.set(writes);
      store.drop(home);
    }
    String where = home + " gives up: " + disowned + ", killed after " + writes + " writes";
    try (SsdBlobStore store = StoreFixture.open(folder)) {
      assertThat(StoreFixture.hasRight(store, MOVED)).as(where).isTrue();
      List<SpaceUsage> spaces = store.spaces();
      assertThat(spaces).as(where).filteredOn(SpaceUsage::space, other).hasSize(1);
      assertThat(spaces).as(where).allMatch(space -> space.blobs() <= 1);
      store.drop(Set.of(home));
      assertThat(StoreFixture.hasRight(store, MOVED)).as(where).isTrue();
      store.drop(Set.of(other));
      assertThat(StoreFixture.hasRight(store, MOVED)).as(where).isFalse();
      assertThat(store.usage().liveBytes()).as(where).isZero();
      StoreFixture.awaitUsed(store, 0, where);
    }
    return writesLeft.get() < 0;
  }

  /** Returns a file that nothing reaches any more after so many writes. */
  private SegmentFile mortal(SegmentFile file) {
    return (SegmentFile)
        Proxy.newProxyInstance(
            SegmentFile.class.getClassLoader(),
            new Class<?>[] {SegmentFile.class},
            (proxy, method, arguments) -> {
              boolean changes = Set.of("write", "truncate", "unlink").contains(method.getName());
              boolean dead = changes && writesLeft.decrementAndGet() < 0;
              return dead ? null : method.invoke(file, arguments);
            });
  }
}
