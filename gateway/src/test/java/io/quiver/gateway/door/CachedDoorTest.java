package io.quiver.gateway.door;

import static io.quiver.gateway.door.testing.TestFiles.part;
import static io.quiver.gateway.door.testing.TestFiles.read;
import static io.quiver.gateway.door.testing.TestFiles.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.gateway.door.cache.NoCache;
import io.quiver.gateway.door.testing.TestDoors;
import io.quiver.gateway.door.testing.TestFiles;
import io.quiver.gateway.door.testing.WatchedStore;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.file.FileStore;
import io.quiver.testkit.Await;
import io.quiver.testkit.SeededRuns;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads through a door over files and real cache servers, beside a model of what files hold. */
final class CachedDoorTest {
  private static final int BLOCK = TestDoors.BLOCK;

  @TempDir private Path folder;

  private byte[] write(String name, Random random, int bytes) throws IOException {
    return TestFiles.write(folder, name, random, bytes);
  }

  @Test
  void manyThreadsReadTheBytesOfTheFilesAtRandomPlaces() {
    SeededRuns.run(
        3,
        random -> {
          List<byte[]> contents = new ArrayList<>();
          for (int i = 0; i < 12; i++) {
            int[] sizes = {
              0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, random.nextInt(20 * BLOCK)
            };
            contents.add(write("f/" + i, random, sizes[random.nextInt(sizes.length)]));
          }
          try (TestDoors doors = new TestDoors();
              CachedDoor door =
                  CachedDoor.open(
                      TestDoors.config(), FileStore.open(folder), doors.cache("reader"));
              ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Void>> readers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
              long seed = random.nextLong();
              readers.add(() -> readAtRandom(door, contents, new Random(seed)));
            }
            for (Future<Void> reader : threads.invokeAll(readers)) {
              reader.get();
            }
          }
        });
  }

  private static Void readAtRandom(Door door, List<byte[]> contents, Random random)
      throws IOException {
    for (int file = 0; file < 30; file++) {
      int number = random.nextInt(contents.size());
      byte[] content = contents.get(number);
      try (OpenObject object = door.open("f/" + number)) {
        assertThat(object.details().object().size()).isEqualTo(content.length);
        for (int i = 0; i < 10; i++) {
          long offset = random.nextInt(content.length + 10);
          int length = 1 + random.nextInt(random.nextBoolean() ? 100 : 3 * BLOCK);
          assertThat(read(object, offset, length)).isEqualTo(part(content, offset, length));
          int within = (int) Math.max(0, Math.min(length, content.length - offset));
          long start = within == 0 ? 0 : offset;
          assertThat(transfer(object, start, within)).isEqualTo(part(content, start, within));
        }
      }
    }
    return null;
  }

  @Test
  void aSecondDoorReadsFromTheCacheWhatTheFirstHasRead() throws IOException {
    byte[] content = write("a/b", new Random(7), 5 * BLOCK + 100);
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    try (TestDoors doors = new TestDoors();
        CachedDoor first = CachedDoor.open(TestDoors.config(), store, doors.cache("first"))) {
      try (OpenObject object = first.open("a/b")) {
        assertThat(transfer(object, 0, content.length)).isEqualTo(content);
      }
      Await.until("all blocks are inserted", () -> first.statistics().blocks().inserted() == 6);
      int reads = store.reads();
      WatchedStore again = new WatchedStore(FileStore.open(folder));
      try (CachedDoor second = CachedDoor.open(TestDoors.config(), again, doors.cache("second"));
          OpenObject object = second.open(second.stat("a/b"))) {
        assertThat(transfer(object, 0, content.length)).isEqualTo(content);
        assertThat(again.reads()).isZero();
        assertThat(second.statistics().cacheBytes()).isEqualTo(content.length);
      }
      assertThat(store.reads()).isEqualTo(reads).isEqualTo(6);
    }
  }

  @Test
  void anObjectIsOpenedAndReadInOneRequest() throws IOException {
    byte[] content = write("small", new Random(3), 1000);
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    try (TestDoors doors = new TestDoors();
        CachedDoor door = CachedDoor.open(TestDoors.config(), store, doors.cache("one"));
        OpenObject object = door.open("small")) {
      assertThat(read(object, 0, 2000)).isEqualTo(content);
      assertThat(store.details()).isZero();
      assertThat(store.reads()).isEqualTo(1);
    }
  }

  @Test
  void readsAtAndPastTheEndGiveNothing() throws IOException {
    write("small", new Random(3), 1000);
    write("empty", new Random(3), 0);
    try (TestDoors doors = new TestDoors();
        CachedDoor door =
            CachedDoor.open(TestDoors.config(), FileStore.open(folder), doors.cache("ends"));
        OpenObject small = door.open("small");
        OpenObject empty = door.open("empty")) {
      assertThat(read(small, 1000, 10)).isEmpty();
      assertThat(read(small, Long.MAX_VALUE, 10)).isEmpty();
      assertThat(read(small, 990, 100)).hasSize(10);
      assertThat(read(small, 0, 0)).isEmpty();
      assertThat(read(empty, 0, 10)).isEmpty();
      assertThat(transfer(empty, 0, 0)).isEmpty();
      assertThatThrownBy(() -> transfer(small, 999, 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("small");
      assertThatThrownBy(() -> read(small, -1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aMissingObjectIsMissingUntilItIsForgotten() throws IOException {
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    try (TestDoors doors = new TestDoors();
        CachedDoor door = CachedDoor.open(TestDoors.config(), store, doors.cache("missing"))) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> door.open("later")).isInstanceOf(NoSuchFileException.class);
      }
      assertThat(store.firsts()).isEqualTo(1);
      byte[] content = write("later", new Random(1), 10);
      door.forget("later");
      try (OpenObject object = door.open("later")) {
        assertThat(read(object, 0, 10)).isEqualTo(content);
      }
    }
  }

  @Test
  void aWalkOverAFolderCostsItsListingOnly() throws IOException {
    for (int i = 0; i < 50; i++) {
      write("many/" + i, new Random(i), i);
    }
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    try (TestDoors doors = new TestDoors();
        CachedDoor door = CachedDoor.open(TestDoors.config(), store, doors.cache("walker"))) {
      assertThat(door.list(ListingRequest.folder("many/")).objects()).hasSize(50);
      for (int i = 0; i < 50; i++) {
        assertThat(door.stat("many/" + i).size()).isEqualTo(i);
      }
      assertThat(store.details()).isZero();
      assertThat(store.pages()).isEqualTo(1);
    }
  }

  @Test
  void smallReadsFarApartReadPartsOfCachedBlocks() throws IOException {
    int large = 512 * 1024;
    byte[] content = write("big", new Random(5), 8 * large);
    DoorConfig config =
        TestDoors.config().withBlocks(TestDoors.config().blocks().withBlockBytes(large));
    try (TestDoors doors = new TestDoors()) {
      try (CachedDoor first =
              CachedDoor.open(config, FileStore.open(folder), doors.cache("first"));
          OpenObject object = first.open("big")) {
        assertThat(transfer(object, 0, content.length)).isEqualTo(content);
        Await.until("all blocks are inserted", () -> first.statistics().blocks().inserted() == 8);
      }
      WatchedStore store = new WatchedStore(FileStore.open(folder));
      try (CachedDoor second = CachedDoor.open(config, store, doors.cache("second"));
          OpenObject object = second.open(second.stat("big"))) {
        for (int block : new int[] {6, 3, 5, 1}) {
          long offset = (long) block * large + large / 2 + 3;
          assertThat(read(object, offset, 5000)).isEqualTo(part(content, offset, 5000));
        }
        assertThat(second.statistics().cacheBytes()).isEqualTo(4 * 5000);
        assertThat(store.reads()).isZero();
      }
    }
  }

  @Test
  void aDoorWithoutACacheReadsFromTheStore() throws IOException {
    byte[] content = write("x", new Random(9), 3 * BLOCK);
    try (CachedDoor door =
            CachedDoor.open(TestDoors.config(), FileStore.open(folder), new NoCache());
        OpenObject object = door.open("x")) {
      assertThat(transfer(object, 0, content.length)).isEqualTo(content);
      assertThat(read(object, 5, 10)).isEqualTo(part(content, 5, 10));
      assertThat(door.statistics().storeBytes()).isEqualTo(content.length);
    }
  }
}
