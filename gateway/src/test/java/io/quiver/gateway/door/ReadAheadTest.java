package io.quiver.gateway.door;

import static io.quiver.gateway.door.testing.TestFiles.part;
import static io.quiver.gateway.door.testing.TestFiles.read;
import static io.quiver.gateway.door.testing.TestFiles.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.gateway.door.block.BlockBounds;
import io.quiver.gateway.door.cache.NoCache;
import io.quiver.gateway.door.testing.Gate;
import io.quiver.gateway.door.testing.TestDoors;
import io.quiver.gateway.door.testing.TestFiles;
import io.quiver.gateway.door.testing.WatchedStore;
import io.quiver.remote.file.FileStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Handles that go forward find their blocks in memory; others cost nothing they did not ask for.
 */
@Timeout(120)
final class ReadAheadTest {
  private static final int BLOCK = TestDoors.BLOCK;
  private static final int BLOCKS = 40;
  private static final int STEP = BLOCK / 4;

  @TempDir private Path folder;
  private WatchedStore store;
  private byte[] content;

  @BeforeEach
  void writeFile() throws IOException {
    store = new WatchedStore(FileStore.open(folder));
    content = TestFiles.write(folder, "file", new Random(1), BLOCKS * BLOCK);
  }

  private CachedDoor door(int blocksAhead, int storeReads) {
    BlockBounds bounds =
        new BlockBounds(BLOCK, 64L * BLOCK, (long) blocksAhead * BLOCK, storeReads);
    return CachedDoor.open(TestDoors.config().withBlocks(bounds), store, new NoCache());
  }

  @Test
  void theWindowDoublesUpToItsBound() throws IOException {
    try (CachedDoor door = door(8, 16);
        OpenObject object = door.open(door.stat("file"))) {
      read(object, 0, STEP);
      assertThat(store.reads()).isEqualTo(1);
      int[] readsAfterBlock = {3, 6, 11, 12, 13, 14};
      for (int block = 0; block < readsAfterBlock.length; block++) {
        for (int i = block == 0 ? 1 : 0; i < 4; i++) {
          long offset = (long) block * BLOCK + (long) i * STEP;
          assertThat(read(object, offset, STEP)).isEqualTo(part(content, offset, STEP));
        }
        int wanted = readsAfterBlock[block];
        Await.until("block " + block + " is followed by its window", () -> store.reads() >= wanted);
        assertThat(door.statistics().blocks().ahead()).isEqualTo(wanted - 1);
      }
    }
  }

  @Test
  void severalBlocksAreUnderWayAtOnce() throws Exception {
    Gate gate = new Gate();
    store.beforeRead((name, position) -> gate.pass());
    try (CachedDoor door = door(8, 16);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        OpenObject object = door.open(door.stat("file"))) {
      Future<byte[]> all = threads.submit(() -> transfer(object, 0, content.length));
      Await.until("a window of blocks is under way", () -> store.reads() == 9);
      gate.open();
      assertThat(all.get()).isEqualTo(content);
      assertThat(store.reads()).isEqualTo(BLOCKS);
      assertThat(store.mostReadsOfOneRange()).isEqualTo(1);
    }
  }

  @Test
  void threadsThatShareAHandleAreEachReadAhead() throws Exception {
    try (CachedDoor door = door(4, 16);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        OpenObject object = door.open(door.stat("file"))) {
      Future<?>[] readers = new Future<?>[4];
      for (int i = 0; i < readers.length; i++) {
        long start = (long) i * BLOCKS / readers.length * BLOCK;
        readers[i] =
            threads.submit(() -> {
              for (long at = start; at < start + 8L * BLOCK; at += STEP) {
                assertThat(read(object, at, STEP)).isEqualTo(part(content, at, STEP));
              }
              return null;
            });
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
      assertThat(door.statistics().blocks().ahead()).isGreaterThan(16);
      assertThat(store.mostReadsOfOneRange()).isEqualTo(1);
    }
  }

  @Test
  void readsFarApartAreNotReadAhead() throws IOException {
    try (CachedDoor door = door(8, 16);
        OpenObject object = door.open(door.stat("file"))) {
      for (int block : new int[] {30, 10, 20, 5, 35}) {
        read(object, (long) block * BLOCK + 100, 10);
      }
      assertThat(store.reads()).isEqualTo(5);
      assertThat(door.statistics().blocks().ahead()).isZero();
    }
  }

  @Test
  void whatHasNotBegunIsGivenUpWhenTheHandleIsClosed() throws Exception {
    Gate gate = new Gate();
    store.beforeRead((name, position) -> {
      if (position >= 2 * BLOCK) {
        gate.pass();
      }
    });
    try (CachedDoor door = door(8, 1)) {
      try (OpenObject object = door.open(door.stat("file"))) {
        for (long at = 0; at < BLOCK - STEP; at += STEP) {
          read(object, at, STEP);
        }
        Await.until("the next block is begun", () -> store.reads() == 2);
        for (long at = BLOCK - STEP; at < 2 * BLOCK; at += STEP) {
          read(object, at, STEP);
        }
        gate.awaitVisitor();
        assertThat(door.statistics().blocks().ahead()).isGreaterThan(2);
      }
      gate.open();
      try (OpenObject again = door.open(door.stat("file"))) {
        assertThat(read(again, 30L * BLOCK, 10)).isEqualTo(part(content, 30L * BLOCK, 10));
      }
      assertThat(store.reads()).isEqualTo(4);
      assertThat(door.statistics().blocks().aheadUnused()).isZero();
    }
  }

  @Test
  void memoryBoundsWhatAllHandlesReadAhead() throws Exception {
    BlockBounds bounds = new BlockBounds(BLOCK, 8L * BLOCK, 8L * BLOCK, 16);
    Gate gate = new Gate();
    store.beforeRead((name, position) -> {
      if (position >= BLOCK) {
        gate.pass();
      }
    });
    try (CachedDoor door =
        CachedDoor.open(TestDoors.config().withBlocks(bounds), store, new NoCache())) {
      for (int i = 0; i < 4; i++) {
        try (OpenObject object = door.open(door.stat("file"))) {
          for (long at = 0; at < BLOCK; at += STEP) {
            read(object, at, STEP);
          }
        }
      }
      assertThat(door.statistics().heldBytes()).isLessThanOrEqualTo(8L * BLOCK);
      gate.open();
      try (OpenObject object = door.open(door.stat("file"))) {
        assertThat(transfer(object, 0, content.length)).isEqualTo(content);
      }
    }
  }
}
