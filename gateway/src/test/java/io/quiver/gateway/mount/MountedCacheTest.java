package io.quiver.gateway.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.testing.TestDoors;
import io.quiver.remote.file.FileStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mounts of real doors over real cache servers. */
class MountedCacheTest {
  private static final String IMAGE_FOLDER =
      """
      import hashlib, multiprocessing, os, sys

      def read(path):
          with open(path, "rb") as file:
              return hashlib.sha256(file.read()).hexdigest()

      root = sys.argv[1]
      classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
      samples = []
      for name in classes:
          for folder, _, files in sorted(os.walk(os.path.join(root, name), followlinks=True)):
              samples += [os.path.join(folder, file) for file in sorted(files)]
      with multiprocessing.get_context("fork").Pool(4) as workers:
          for path, digest in zip(samples, workers.map(read, samples)):
              print(os.path.relpath(path, root), digest)
      """;

  @TempDir private Path folder;

  private final Map<String, byte[]> files = new TreeMap<>();
  private Path data;

  @BeforeAll
  static void needsFuse() {
    Mounting.assumePossible();
  }

  @BeforeEach
  void makeData() throws IOException {
    data = Files.createDirectory(folder.resolve("data"));
    Random random = new Random(3);
    for (int i = 0; i < 60; i++) {
      byte[] bytes = new byte[random.nextInt(5 * TestDoors.BLOCK)];
      random.nextBytes(bytes);
      files.put("class" + i % 4 + "/image" + i, bytes);
    }
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.createDirectories(data.resolve(file.getKey()).getParent());
      Files.write(data.resolve(file.getKey()), file.getValue());
    }
  }

  private Door door(TestDoors doors, String name) throws IOException {
    return CachedDoor.open(TestDoors.config(), FileStore.open(data), doors.cache(name));
  }

  private void assertAllRead(Mount mount) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(Files.readAllBytes(mount.target().resolve(file.getKey())))
          .isEqualTo(file.getValue());
    }
  }

  @Test
  void oneMountReadsWhatAnotherBroughtIntoTheCache() throws Exception {
    try (TestDoors doors = new TestDoors();
        Door first = door(doors, "first");
        Door second = door(doors, "second")) {
      try (Mount mount = Mounting.mount(first, folder, Duration.ofSeconds(60))) {
        assertAllRead(mount);
      }
      long read = first.statistics().storeBytes();
      assertThat(read).isPositive();
      Await.until("all blocks are in the cache", () -> first.statistics().insertedBytes() >= read);
      try (Mount mount = Mounting.mount(second, folder, Duration.ofSeconds(60))) {
        assertAllRead(mount);
      }
      assertThat(second.statistics().storeBytes()).isZero();
      assertThat(second.statistics().cacheBytes()).isPositive();
    }
  }

  @Test
  void aMountSurvivesTheLossOfAllServers() throws Exception {
    try (TestDoors doors = new TestDoors();
        Door door = door(doors, "survivor");
        Mount mount = Mounting.mount(door, folder, Duration.ofSeconds(60))) {
      String some = files.keySet().iterator().next();
      assertThat(Files.readAllBytes(mount.target().resolve(some))).isEqualTo(files.get(some));
      doors.servers().stop(0);
      doors.servers().stop(1);
      assertAllRead(mount);
    }
  }

  @Test
  void imageFoldersAreWalkedAndReadByWorkers() throws Exception {
    Path script = Files.writeString(folder.resolve("walk.py"), IMAGE_FOLDER);
    String expected = Mounting.run(folder, "python3", script.toString(), data.toString());
    assertThat(expected.lines()).hasSize(files.size());
    try (TestDoors doors = new TestDoors();
        Door door = door(doors, "images");
        Mount mount = Mounting.mount(door, folder, Duration.ofSeconds(60))) {
      String target = mount.target().toString();
      assertThat(Mounting.run(folder, "python3", script.toString(), target)).isEqualTo(expected);
    }
  }
}
