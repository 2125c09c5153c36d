package io.quiver.gateway.door;

import static io.quiver.gateway.door.testing.TestFiles.part;
import static io.quiver.gateway.door.testing.TestFiles.read;
import static io.quiver.gateway.door.testing.TestFiles.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.gateway.door.cache.NoCache;
import io.quiver.gateway.door.testing.Gate;
import io.quiver.gateway.door.testing.TestDoors;
import io.quiver.gateway.door.testing.TestFiles;
import io.quiver.gateway.door.testing.WatchedStore;
import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.file.FileStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores that fail, objects that change, servers that die, memory that is full. */
@Timeout(120)
final class DoorFaultsTest {
  private static final int BLOCK = TestDoors.BLOCK;

  @TempDir private Path folder;

  private byte[] write(String name, int seed, int bytes) throws IOException {
    return TestFiles.write(folder, name, new Random(seed), bytes);
  }

  /** Replaces a file by another of a later time, as programs do it: by renaming. */
  private byte[] replace(String name, int seed, int bytes) throws IOException {
    byte[] content = write("new-" + name, seed, bytes);
    Path fresh = folder.resolve("new-" + name);
    Files.setLastModifiedTime(fresh, FileTime.from(Instant.now().plusSeconds(seed)));
    Files.move(fresh, folder.resolve(name), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    return content;
  }

  @Test
  void aFailureInTheMiddleIsToldWithItsCauseAndTheNextReadWorks() throws IOException {
    byte[] content = write("file", 1, 3 * BLOCK);
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    AtomicBoolean broken = new AtomicBoolean(true);
    store.beforeRead((name, position) -> {
      if (position >= BLOCK + 20_000 && broken.get()) {
        throw new IOException("the cable is cut");
      }
    });
    try (TestDoors doors = new TestDoors();
        CachedDoor door = CachedDoor.open(TestDoors.config(), store, doors.cache("cut"));
        OpenObject object = door.open("file")) {
      assertThat(read(object, 0, BLOCK)).isEqualTo(part(content, 0, BLOCK));
      assertThatThrownBy(() -> read(object, 2 * BLOCK - 10, 10))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("file")
          .hasMessageContaining("the cable is cut")
          .hasRootCauseMessage("the cable is cut");
      broken.set(false);
      assertThat(transfer(object, 0, content.length)).isEqualTo(content);
      assertThat(door.statistics().blocks().storeFailures()).isPositive();
    }
  }

  @Test
  void anObjectThatChangesGivesOldBytesOrAnErrorAndIsNewWhenOpenedAgain() throws IOException {
    byte[] old = write("file", 1, 4 * BLOCK);
    try (TestDoors doors = new TestDoors();
        CachedDoor door =
            CachedDoor.open(
                TestDoors.config().withBlocks(TestDoors.config().blocks().withAheadBytes(0)),
                FileStore.open(folder),
                doors.cache("changing"));
        OpenObject before = door.open("file")) {
      assertThat(read(before, 0, 100)).isEqualTo(part(old, 0, 100));
      Await.until("the block is whole", () -> door.statistics().storeBytes() == BLOCK);
      byte[] fresh = replace("file", 2, 4 * BLOCK);
      assertThat(read(before, 0, BLOCK)).isEqualTo(part(old, 0, BLOCK));
      assertThatThrownBy(() -> read(before, 2 * BLOCK, 10))
          .isInstanceOf(ChangedObjectException.class);
      try (OpenObject after = door.open("file")) {
        assertThat(transfer(after, 0, fresh.length)).isEqualTo(fresh);
      }
      assertThat(read(before, 0, BLOCK)).isEqualTo(part(old, 0, BLOCK));
    }
  }

  @Test
  void aDeletedObjectIsMissingOnceTheDoorHasNoticed() throws IOException {
    byte[] content = write("file", 1, 2 * BLOCK);
    try (TestDoors doors = new TestDoors();
        CachedDoor door =
            CachedDoor.open(
                TestDoors.config().withBlocks(TestDoors.config().blocks().withAheadBytes(0)),
                FileStore.open(folder),
                doors.cache("deleted"));
        OpenObject object = door.open("file")) {
      assertThat(read(object, 0, 10)).isEqualTo(part(content, 0, 10));
      Files.delete(folder.resolve("file"));
      assertThatThrownBy(() -> read(object, BLOCK, 10)).isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> door.open("file")).isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void noReadFailsWhileCacheServersDieAndComeBack() throws Exception {
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      contents.add(write("f" + i, i, 3 * BLOCK + i));
    }
    DoorConfig little =
        TestDoors.config().withBlocks(TestDoors.config().blocks().withMemoryBytes(8L * BLOCK));
    try (TestDoors doors = new TestDoors();
        CachedDoor door = CachedDoor.open(little, FileStore.open(folder), doors.cache("survivor"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger passes = new AtomicInteger();
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Random random = new Random(i);
        readers.add(
            threads.submit(() -> {
              while (!over.get()) {
                int file = random.nextInt(contents.size());
                try (OpenObject object = door.open("f" + file)) {
                  assertThat(transfer(object, 0, contents.get(file).length))
                      .isEqualTo(contents.get(file));
                }
                passes.incrementAndGet();
              }
              return null;
            }));
      }
      awaitMore(passes, 20);
      doors.servers().stop(0);
      awaitMore(passes, 20);
      doors.servers().stop(1);
      awaitMore(passes, 20);
      doors.servers().restart(0);
      doors.servers().restart(1);
      awaitMore(passes, 20);
      over.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  private static void awaitMore(AtomicInteger passes, int more) {
    int before = passes.get();
    Await.until("readers go on", () -> passes.get() >= before + more);
  }

  @Test
  void fullMemorySlowsReadersDownAndStopsNobody() throws Exception {
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      contents.add(write("f" + i, i, BLOCK));
    }
    DoorConfig config =
        TestDoors.config().withBlocks(TestDoors.config().blocks().withMemoryBytes(3L * BLOCK));
    try (CachedDoor door = CachedDoor.open(config, FileStore.open(folder), new NoCache());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch holding = new CountDownLatch(3);
      Gate slow = new Gate();
      List<Future<?>> slowReaders = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        OpenObject object = door.open("f" + i);
        slowReaders.add(
            threads.submit(() -> {
              object.transfer(
                  0,
                  BLOCK,
                  piece -> {
                    holding.countDown();
                    slow.pass();
                  });
              object.close();
              return null;
            }));
      }
      holding.await();
      for (int i = 3; i < 12; i++) {
        try (OpenObject object = door.open("f" + i)) {
          assertThat(transfer(object, 0, BLOCK)).isEqualTo(contents.get(i));
        }
      }
      assertThat(door.statistics().blocks().unbuffered()).isPositive();
      assertThat(door.statistics().heldBytes()).isLessThanOrEqualTo(3L * BLOCK);
      slow.open();
      for (Future<?> reader : slowReaders) {
        reader.get();
      }
    }
  }

  @Test
  void thousandsOfSmallReadsAtOnceAreAnswered() throws Exception {
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      contents.add(write("f" + i, i, 5000 + i));
    }
    try (TestDoors doors = new TestDoors();
        CachedDoor door =
            CachedDoor.open(TestDoors.config(), FileStore.open(folder), doors.cache("crowd"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<byte[]>> answers = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        int file = i % 50;
        answers.add(
            threads.submit(() -> {
              try (OpenObject object = door.open("f" + file)) {
                return read(object, 100, 2000);
              }
            }));
      }
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).get()).isEqualTo(part(contents.get(i % 50), 100, 2000));
      }
    }
  }

  @Test
  void closingTheDoorEndsReadsUnderWay() throws Exception {
    write("file", 1, 2 * BLOCK);
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    Gate gate = new Gate();
    store.beforeRead((name, position) -> {
      if (position > 0) {
        gate.pass();
      }
    });
    try (TestDoors doors = new TestDoors();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CachedDoor door = CachedDoor.open(TestDoors.config(), store, doors.cache("closing"));
      OpenObject object = door.open("file");
      Future<byte[]> reading = threads.submit(() -> transfer(object, 0, BLOCK));
      gate.awaitVisitor();
      Future<?> closing = threads.submit(door::close);
      Await.until("the door refuses", () -> isRefused(door));
      gate.open();
      closing.get();
      assertThatThrownBy(reading::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(IOException.class);
      assertThat(door.statistics().heldBytes()).isZero();
    }
  }

  private static boolean isRefused(Door door) {
    try {
      return door.stat("file") == null;
    } catch (IOException refused) {
      return String.valueOf(refused.getMessage()).contains("closed");
    }
  }

  @Test
  void objectsWithoutAVersionAreReadForOneHandleOnly() throws IOException {
    byte[] content = write("file", 1, BLOCK);
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    try (TestDoors doors = new TestDoors();
        CachedDoor door = CachedDoor.open(TestDoors.config(), store, doors.cache("versionless"))) {
      RemoteObject object = new RemoteObject("file", content.length, "");
      for (int i = 1; i <= 2; i++) {
        try (OpenObject handle = door.open(object)) {
          assertThat(read(handle, 0, BLOCK)).isEqualTo(content);
          assertThat(read(handle, 5, 10)).isEqualTo(part(content, 5, 10));
        }
        assertThat(store.reads()).isEqualTo(i);
      }
      assertThat(door.statistics().insertedBytes()).isZero();
    }
  }

  @Test
  void aClosedHandleRefusesReads() throws IOException {
    write("file", 1, 10);
    try (CachedDoor door =
        CachedDoor.open(TestDoors.config(), FileStore.open(folder), new NoCache())) {
      OpenObject object = door.open("file");
      object.close();
      assertThatThrownBy(() -> read(object, 0, 1)).isInstanceOf(IOException.class);
    }
  }
}
