package io.quiver.gateway.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.Await;
import io.quiver.testkit.LogCapture;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that change, go away or cannot be read while a program reads them. */
class MountChangeTest {
  private static final int LARGE = 6_000_000;

  @TempDir private Path folder;

  private final ObjectsDoor door = new ObjectsDoor();

  @BeforeAll
  static void needsFuse() {
    Mounting.assumePossible();
  }

  private static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @Test
  void withoutAWindowAChangeIsSeenByTheNextOpen() throws Exception {
    try (Mount mount = Mounting.mount(door, folder, Duration.ZERO)) {
      Path file = mount.target().resolve("f");
      for (int i = 1; i < 50; i++) {
        door.put("f", filled(10_000, i));
        assertThat(Files.readAllBytes(file)).isEqualTo(filled(10_000, i));
      }
      door.delete("f");
      assertThatThrownBy(() -> Files.readAllBytes(file)).isInstanceOf(NoSuchFileException.class);
      door.put("f/g", new byte[1]);
      assertThat(Files.isDirectory(file)).isTrue();
    }
  }

  @Test
  void withAWindowTheStoreIsAskedOncePerWindow() throws Exception {
    door.put("f", filled(10, 1));
    try (Mount mount = Mounting.mount(door, folder, Duration.ofSeconds(30))) {
      Path file = mount.target().resolve("f");
      assertThat(Files.readAllBytes(file)).isEqualTo(filled(10, 1));
      int asked = door.asked();
      for (int i = 0; i < 100; i++) {
        assertThat(Files.readAllBytes(file)).isEqualTo(filled(10, 1));
        assertThat(Files.exists(mount.target().resolve("missing"))).isFalse();
      }
      assertThat(door.asked() - asked).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aChangeIsSeenWhenTheWindowIsOver() throws Exception {
    door.put("f", filled(10, 1));
    try (Mount mount = Mounting.mount(door, folder, Duration.ofMillis(300))) {
      Path file = mount.target().resolve("f");
      Path late = mount.target().resolve("late");
      assertThat(Files.readAllBytes(file)).isEqualTo(filled(10, 1));
      assertThat(Files.exists(late)).isFalse();
      door.put("f", filled(20, 2));
      door.put("late", filled(1, 1));
      Await.until(
          "the new version is read", () -> Arrays.equals(Files.readAllBytes(file), filled(20, 2)));
      Await.until("the new file is there", () -> Files.exists(late));
    }
  }

  @Test
  void whoHasTheOldVersionOpenReadsOnlyOldBytes() throws Exception {
    door.put("f", filled(LARGE, 1));
    try (LogCapture log = LogCapture.warnings(DoorFiles.class);
        Mount mount = Mounting.mount(door, folder, Duration.ZERO)) {
      Path file = mount.target().resolve("f");
      try (RandomAccessFile old = new RandomAccessFile(file.toFile(), "r")) {
        byte[] first = new byte[4096];
        old.readFully(first);
        door.put("f", filled(LARGE / 2, 2));
        assertThat(Files.readAllBytes(file)).isEqualTo(filled(LARGE / 2, 2));
        assertThat(first).containsOnly(1);
        old.seek(0);
        old.readFully(first);
        assertThat(first).containsOnly(1);
        old.seek(LARGE - 4096);
        assertThatThrownBy(() -> old.readFully(first))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("Stale file handle");
        assertThat(old.length()).isEqualTo(LARGE);
      }
      assertThat(log.messages()).anyMatch(line -> line.contains("'f'") && line.contains("changed"));
    }
  }

  @Test
  void readersOfAChangingObjectNeverSeeTwoVersions() throws Exception {
    door.put("f", filled(1_000_000, 1));
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger whole = new AtomicInteger();
    try (LogCapture _ = LogCapture.warnings(DoorFiles.class);
        Mount mount = Mounting.mount(door, folder, Duration.ZERO);
        ExecutorService readers = Executors.newFixedThreadPool(4)) {
      Path file = mount.target().resolve("f");
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(
            readers.submit(() -> {
              while (!done.get()) {
                if (isOneVersion(file)) {
                  whole.incrementAndGet();
                }
              }
              return null;
            }));
      }
      int version = 1;
      while (whole.get() < 100) {
        int value = ++version % 100;
        door.put("f", filled(10_000 * (50 + value), value));
        int target = whole.get() + 1;
        Await.until("somebody reads a whole version", () -> whole.get() >= target || failed(all));
      }
      done.set(true);
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private static boolean failed(List<Future<?>> all) {
    return all.stream().anyMatch(Future::isDone);
  }

  /** Reads a file in small steps; returns false if an error ended it. */
  private static boolean isOneVersion(Path file) {
    byte[] buffer = new byte[30_000];
    int length = 0;
    int value = -1;
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
        value = value < 0 ? buffer[0] : value;
        for (int i = 0; i < count; i++) {
          assertThat(buffer[i]).isEqualTo((byte) value);
        }
        length += count;
        if (ThreadLocalRandom.current().nextInt(10) == 0) {
          LockSupport.parkNanos(1000);
        }
      }
    } catch (IOException stale) {
      return false;
    }
    int expected = value == 1 && length == 1_000_000 ? length : 10_000 * (50 + value);
    assertThat(length).isEqualTo(expected);
    return true;
  }

  @Test
  void aDeletedObjectIsAnErrorForItsReaderAndThenMissing() throws Exception {
    door.put("f", filled(LARGE, 1));
    try (LogCapture _ = LogCapture.warnings(DoorFiles.class);
        Mount mount = Mounting.mount(door, folder, Duration.ofSeconds(60))) {
      Path file = mount.target().resolve("f");
      try (FileChannel channel = FileChannel.open(file)) {
        channel.read(ByteBuffer.allocate(10), 0);
        door.delete("f");
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10), LARGE - 10))
            .hasMessageContaining("Stale file handle");
      }
      Await.until("the file is missing", () -> !Files.exists(file));
    }
  }

  @Test
  void aFailedReadIsAnErrorAndTheNextOneWorks() throws Exception {
    door.put("f", filled(LARGE, 1));
    try (LogCapture log = LogCapture.warnings(DoorFiles.class);
        Mount mount = Mounting.mount(door, folder, Duration.ofSeconds(60));
        FileChannel channel = FileChannel.open(mount.target().resolve("f"))) {
      door.failReads(new IOException("the store's disk is on fire"));
      for (int i = 0; i < 10; i++) {
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(100), 5_000_000))
            .hasMessageContaining("Input/output error");
      }
      door.failReads(null);
      ByteBuffer read = ByteBuffer.allocate(100);
      channel.read(read, 5_000_000);
      assertThat(read.array()).containsOnly(1);
      assertThat(log.messages())
          .filteredOn(line -> line.contains("the store's disk is on fire"))
          .hasSize(1)
          .allMatch(line -> line.contains("'f'") && line.contains("EIO"));
    }
  }

  @Test
  void aFailedListingIsAnErrorAndTheNextOneWorks() throws Exception {
    door.put("d/f", filled(1, 1));
    try (LogCapture _ = LogCapture.warnings(DoorFiles.class);
        Mount mount = Mounting.mount(door, folder, Duration.ZERO)) {
      door.failListings(new IOException("no listings today"));
      assertThatThrownBy(() -> Mounting.run(mount.target(), "ls"))
          .hasMessageContaining("Input/output error");
      door.failListings(null);
      assertThat(Mounting.run(mount.target(), "ls", "d").strip()).isEqualTo("f");
    }
  }
}
