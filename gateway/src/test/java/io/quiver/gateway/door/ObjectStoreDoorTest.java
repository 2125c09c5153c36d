package io.quiver.gateway.door;

import static io.quiver.gateway.door.testing.TestFiles.part;
import static io.quiver.gateway.door.testing.TestFiles.read;
import static io.quiver.gateway.door.testing.TestFiles.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.gateway.door.testing.ManualClock;
import io.quiver.gateway.door.testing.TestDoors;
import io.quiver.gateway.door.testing.WatchedStore;
import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.s3.S3TestServer;
import io.quiver.testkit.Await;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads through doors over an S3 service, with ETags as versions. */
@Timeout(120)
final class ObjectStoreDoorTest {
  private static final int BLOCK = TestDoors.BLOCK;
  private static S3TestServer service;

  @BeforeAll
  static void start() throws Exception {
    service = S3TestServer.start();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static byte[] put(String key, int seed, int bytes) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    service.put(key, content);
    return content;
  }

  @Test
  void objectsAreReadWholeAndInParts() throws Exception {
    byte[] content = put("whole/a/file", 1, 5 * BLOCK + 11);
    put("whole/empty", 1, 0);
    WatchedStore store = new WatchedStore(service.store("whole/"));
    try (TestDoors doors = new TestDoors();
        CachedDoor door = CachedDoor.open(TestDoors.config(), store, doors.cache("s3"))) {
      try (OpenObject object = door.open("a/file");
          OpenObject empty = door.open("empty")) {
        assertThat(store.details()).isZero();
        assertThat(transfer(object, 0, content.length)).isEqualTo(content);
        assertThat(read(object, 3L * BLOCK - 5, 10)).isEqualTo(part(content, 3L * BLOCK - 5, 10));
        assertThat(read(object, content.length, 10)).isEmpty();
        assertThat(read(empty, 0, 10)).isEmpty();
      }
      assertThatThrownBy(() -> door.open("none")).isInstanceOf(NoSuchFileException.class);
      assertThat(door.list(ListingRequest.folder("")).groups()).containsExactly("a/");
      assertThat(store.mostReadsOfOneRange()).isEqualTo(1);
    }
  }

  @Test
  void aReplacedObjectIsSeenWithinTheWindowAndNeverMixed() throws Exception {
    byte[] old = put("replaced/file", 1, 3 * BLOCK);
    ManualClock clock = new ManualClock();
    DoorConfig config =
        TestDoors.config()
            .withFreshness(Duration.ofSeconds(5))
            .withBlocks(TestDoors.config().blocks().withAheadBytes(0));
    try (TestDoors doors = new TestDoors();
        CachedDoor door =
            new CachedDoor(config, service.store("replaced/"), doors.cache("s3"), clock)) {
      OpenObject before = door.open("file");
      assertThat(read(before, 0, BLOCK)).isEqualTo(part(old, 0, BLOCK));
      byte[] fresh = put("replaced/file", 2, 3 * BLOCK);
      try (OpenObject within = door.open("file")) {
        assertThat(read(within, 0, BLOCK)).isEqualTo(part(old, 0, BLOCK));
      }
      clock.pass(Duration.ofSeconds(5));
      try (OpenObject after = door.open("file")) {
        assertThat(transfer(after, 0, fresh.length)).isEqualTo(fresh);
      }
      assertThatThrownBy(() -> read(before, BLOCK, 10)).isInstanceOf(ChangedObjectException.class);
      before.close();
    }
  }

  @Test
  void aWriteThroughTheDoorIsSeenAtOnce() throws Exception {
    put("written/d/a", 1, 10);
    try (TestDoors doors = new TestDoors();
        CachedDoor door =
            CachedDoor.open(TestDoors.config(), service.store("written/"), doors.cache("s3"))) {
      assertThat(door.list(ListingRequest.folder("d/")).objects()).hasSize(1);
      assertThatThrownBy(() -> door.open("d/b")).isInstanceOf(NoSuchFileException.class);
      byte[] content = put("written/d/b", 2, 20);
      door.forget("d/b");
      assertThat(door.list(ListingRequest.folder("d/")).objects()).hasSize(2);
      try (OpenObject object = door.open("d/b")) {
        assertThat(read(object, 0, 100)).isEqualTo(content);
      }
    }
  }

  @Test
  void detailsThatAreTooOldAreAskedForWithoutReadingTheBytesAgain() throws Exception {
    byte[] content = put("stale/file", 1, BLOCK);
    ManualClock clock = new ManualClock();
    WatchedStore store = new WatchedStore(service.store("stale/"));
    try (TestDoors doors = new TestDoors();
        CachedDoor door =
            new CachedDoor(
                TestDoors.config().withFreshness(Duration.ZERO), store, doors.cache("s3"), clock)) {
      for (int i = 0; i < 4; i++) {
        try (OpenObject object = door.open("file")) {
          assertThat(read(object, 0, BLOCK)).isEqualTo(content);
        }
        assertThat(store.reads()).isEqualTo(1);
        assertThat(store.details()).isEqualTo(i);
      }
      Await.until("it is inserted", () -> door.statistics().blocks().inserted() == 1);
    }
  }
}
