package io.quiver.gateway.door;

import static io.quiver.gateway.door.testing.TestFiles.part;
import static io.quiver.gateway.door.testing.TestFiles.read;
import static io.quiver.gateway.door.testing.TestFiles.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.Blob;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestEncoder;
import io.quiver.core.dataset.DigestItem;
import io.quiver.core.hash.ContentHash;
import io.quiver.gateway.door.cache.DoorCache;
import io.quiver.gateway.door.cache.KnownItems;
import io.quiver.gateway.door.testing.Gate;
import io.quiver.gateway.door.testing.TestDoors;
import io.quiver.gateway.door.testing.TestFiles;
import io.quiver.gateway.door.testing.WatchedStore;
import io.quiver.remote.file.FileStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What doors share with each other, and with the loaders of a digest. */
@Timeout(120)
final class DoorSharingTest {
  private static final int BLOCK = TestDoors.BLOCK;

  @TempDir private Path folder;

  private byte[] write(String name, int seed, int bytes) throws IOException {
    return TestFiles.write(folder, name, new Random(seed), bytes);
  }

  @Test
  void twoDoorsAtOnceReadEachBlockOnce() throws Exception {
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      contents.add(write("f" + i, i, 4 * BLOCK));
    }
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    try (TestDoors doors = new TestDoors();
        CachedDoor first = CachedDoor.open(TestDoors.config(), store, doors.cache("first"));
        CachedDoor second = CachedDoor.open(TestDoors.config(), store, doors.cache("second"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Void>> readers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int file = i;
        for (CachedDoor door : List.of(first, second)) {
          readers.add(() -> {
            try (OpenObject object = door.open(door.stat("f" + file))) {
              assertThat(transfer(object, 0, 4 * BLOCK)).isEqualTo(contents.get(file));
            }
            return null;
          });
        }
      }
      for (Future<Void> reader : threads.invokeAll(readers)) {
        reader.get();
      }
      assertThat(store.mostReadsOfOneRange()).isEqualTo(1);
      assertThat(store.reads()).isEqualTo(32);
    }
  }

  @Test
  void aBoundBlockWhoseBlobIsGoneIsReadAndBoundAgain() throws Exception {
    byte[] content = write("file", 1, BLOCK);
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    try (TestDoors doors = new TestDoors()) {
      try (CachedDoor first = CachedDoor.open(TestDoors.config(), store, doors.cache("first"));
          OpenObject object = first.open("file")) {
        assertThat(read(object, 0, BLOCK)).isEqualTo(content);
        Await.until("it is inserted", () -> first.statistics().blocks().inserted() == 1);
      }
      doors.evict(ContentHash.ofContent(content));
      WatchedStore again = new WatchedStore(FileStore.open(folder));
      try (CachedDoor second = CachedDoor.open(TestDoors.config(), again, doors.cache("second"));
          OpenObject object = second.open(second.stat("file"))) {
        assertThat(read(object, 0, BLOCK)).isEqualTo(content);
        assertThat(again.reads()).isEqualTo(1);
        Await.until("it is inserted", () -> second.statistics().blocks().inserted() == 1);
      }
      WatchedStore last = new WatchedStore(FileStore.open(folder));
      try (CachedDoor third = CachedDoor.open(TestDoors.config(), last, doors.cache("third"));
          OpenObject object = third.open(third.stat("file"))) {
        assertThat(read(object, 0, BLOCK)).isEqualTo(content);
        assertThat(last.reads()).isZero();
      }
    }
  }

  @Test
  void firstBytesAreReadableBeforeTheRestHasCome() throws Exception {
    byte[] content = write("file", 1, BLOCK);
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    Gate rest = new Gate();
    store.beforeRead((name, position) -> {
      if (position >= 16 * 1024) {
        rest.pass();
      }
    });
    try (TestDoors doors = new TestDoors();
        CachedDoor door = CachedDoor.open(TestDoors.config(), store, doors.cache("eager"));
        CachedDoor other = CachedDoor.open(TestDoors.config(), store, doors.cache("other"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        OpenObject object = door.open("file")) {
      assertThat(read(object, 0, 16 * 1024)).isEqualTo(part(content, 0, 16 * 1024));
      rest.awaitVisitor();
      Future<byte[]> whole = threads.submit(() -> transfer(object, 0, BLOCK));
      Future<byte[]> elsewhere =
          threads.submit(() -> {
            try (OpenObject same = other.open(other.stat("file"))) {
              return transfer(same, 0, BLOCK);
            }
          });
      assertThat(whole.isDone()).isFalse();
      rest.open();
      assertThat(whole.get()).isEqualTo(content);
      assertThat(elsewhere.get()).isEqualTo(content);
      assertThat(store.reads()).isEqualTo(1);
      assertThat(door.statistics().blocks().firstBytes()).isEqualTo(1);
    }
  }

  private DatasetDigest digest(List<String> names, List<byte[]> contents) {
    DigestEncoder digest = new DigestEncoder();
    for (int i = 0; i < names.size(); i++) {
      byte[] content = contents.get(i);
      digest.add(DigestItem.whole(ContentHash.ofContent(content), content.length, names.get(i)));
    }
    return DatasetDigest.open(digest.encode());
  }

  private KnownItems items(List<String> names, List<byte[]> contents) {
    return new KnownItems(digest(names, contents), "", Instant.now());
  }

  @Test
  void aDoorReadsWhatALoaderHasBroughtWithoutTheStore() throws Exception {
    byte[] small = write("data/a", 1, 5000);
    byte[] large = write("data/b", 2, 3 * BLOCK + 7);
    KnownItems items = items(List.of("data/a", "data/b"), List.of(small, large));
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    try (TestDoors doors = new TestDoors()) {
      try (DoorCache loader = doors.cache("loader")) {
        assertThat(
                loader
                    .blobs()
                    .put(List.of(Blob.of(ByteBuffer.wrap(small)), Blob.of(ByteBuffer.wrap(large))))
                    .allHere())
            .isTrue();
      }
      try (CachedDoor door =
              CachedDoor.open(
                  TestDoors.config().withItems(items), store, doors.cache("with-digest"));
          OpenObject first = door.open("data/a");
          OpenObject second = door.open("data/b")) {
        assertThat(transfer(first, 0, small.length)).isEqualTo(small);
        assertThat(transfer(second, 0, large.length)).isEqualTo(large);
        assertThat(store.reads()).isZero();
      }
    }
  }

  @Test
  void aLoaderFindsWhatADoorHasRead() throws Exception {
    byte[] content = write("data/a", 1, 5000);
    KnownItems items = items(List.of("data/a"), List.of(content));
    try (TestDoors doors = new TestDoors();
        CachedDoor door =
            CachedDoor.open(
                TestDoors.config().withItems(items), FileStore.open(folder), doors.cache("door"));
        OpenObject object = door.open("data/a")) {
      assertThat(read(object, 0, 5000)).isEqualTo(content);
      Await.until("it is inserted", () -> door.statistics().blocks().inserted() == 1);
      try (DoorCache loader = doors.cache("loader");
          var answer = loader.blobs().get(List.of(ContentHash.ofContent(content)))) {
        assertThat(answer.hits()).isEqualTo(1);
      }
    }
  }

  @Test
  void aDigestThatIsWrongGivesWayToWhatTheStoreHas() throws Exception {
    byte[] told = write("data/a", 1, 5000);
    KnownItems items = items(List.of("data/a"), List.of(told));
    byte[] real = write("data/a", 2, 5000);
    Files.setLastModifiedTime(
        folder.resolve("data/a"), FileTime.from(Instant.now().minusSeconds(100)));
    WatchedStore store = new WatchedStore(FileStore.open(folder));
    try (TestDoors doors = new TestDoors();
        CachedDoor door =
            CachedDoor.open(TestDoors.config().withItems(items), store, doors.cache("door"))) {
      try (OpenObject object = door.open("data/a")) {
        assertThat(read(object, 0, 5000)).isEqualTo(real);
        Await.until("it is inserted", () -> door.statistics().blocks().inserted() == 1);
        assertThat(items.find(object.details().object())).isEmpty();
      }
      try (DoorCache loader = doors.cache("loader")) {
        loader.blobs().put(List.of(Blob.of(ByteBuffer.wrap(told))));
      }
      try (CachedDoor second =
              CachedDoor.open(TestDoors.config().withItems(items), store, doors.cache("second"));
          OpenObject object = second.open("data/a")) {
        assertThat(read(object, 0, 5000)).isEqualTo(real);
        assertThat(store.reads()).isEqualTo(1);
      }
    }
  }

  @Test
  void anObjectChangedAfterItsDigestIsNotLookedForInIt() throws Exception {
    byte[] told = write("data/a", 1, 5000);
    KnownItems items = items(List.of("data/a"), List.of(told));
    byte[] real = write("data/a", 2, 5000);
    Files.setLastModifiedTime(
        folder.resolve("data/a"), FileTime.from(Instant.now().plusSeconds(100)));
    try (TestDoors doors = new TestDoors()) {
      try (DoorCache loader = doors.cache("loader")) {
        loader.blobs().put(List.of(Blob.of(ByteBuffer.wrap(told))));
      }
      try (CachedDoor door =
              CachedDoor.open(
                  TestDoors.config().withItems(items),
                  FileStore.open(folder),
                  doors.cache("door"));
          OpenObject object = door.open("data/a")) {
        assertThat(read(object, 0, 5000)).isEqualTo(real);
      }
    }
  }
}
