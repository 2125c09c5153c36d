package io.quiver.gateway.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.LogCapture;
import io.quiver.testkit.SeededRuns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads mounted trees through the kernel and compares them with what was put there. */
class MountTreeTest {
  private static final Duration FRESHNESS = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @BeforeAll
  static void needsFuse() {
    Mounting.assumePossible();
  }

  @Test
  void randomTreesReadAsTheyWerePut() {
    SeededRuns.run(
        3,
        random -> {
          Map<String, byte[]> model = randomTree(random);
          ObjectsDoor door = new ObjectsDoor();
          model.forEach(door::put);
          door.cutInto(random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(100_000));
          try (Mount mount = Mounting.mount(door, folder, FRESHNESS)) {
            assertThat(filesBelow(mount.target())).isEqualTo(model.keySet());
            for (Map.Entry<String, byte[]> entry : model.entrySet()) {
              Path file = mount.target().resolve(entry.getKey());
              assertThat(Files.size(file)).isEqualTo(entry.getValue().length);
              assertThat(Files.readAllBytes(file)).isEqualTo(entry.getValue());
              assertRandomRanges(random, file, entry.getValue());
              assertThat(Files.getLastModifiedTime(file).toInstant())
                  .isEqualTo(door.details(entry.getKey()).object().modified());
            }
          }
        });
  }

  private static Map<String, byte[]> randomTree(Random random) {
    Map<String, byte[]> tree = new TreeMap<>();
    List<String> folders = new ArrayList<>(List.of(""));
    for (int i = 0; i < 60; i++) {
      String parent = folders.get(random.nextInt(folders.size()));
      String name = parent + randomName(random) + i;
      if (random.nextInt(4) == 0) {
        folders.add(name + "/");
      }
      byte[] bytes =
          new byte[random.nextInt(5) == 0 ? random.nextInt(3_000_000) : random.nextInt(9000)];
      random.nextBytes(bytes);
      tree.put(folders.contains(name + "/") ? name + "/x" : name, bytes);
    }
    return tree;
  }

  private static String randomName(Random random) {
    String[] parts = {"a", "b-", "c d", "ü", "日本", ".", "\\", "%2F", "😀", "~", "'\"", "-"};
    StringBuilder name = new StringBuilder();
    for (int i = 0; i <= random.nextInt(4); i++) {
      name.append(parts[random.nextInt(parts.length)]);
    }
    return name.toString();
  }

  private static Set<String> filesBelow(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          .map(path -> root.relativize(path).toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static void assertRandomRanges(Random random, Path file, byte[] expected)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      for (int i = 0; i < 5; i++) {
        int from = random.nextInt(expected.length + 10);
        int length = random.nextInt(200_000);
        ByteBuffer read = ByteBuffer.allocate(length);
        while (read.hasRemaining() && channel.read(read, from + read.position()) > 0) {
          assertThat(read.position()).isPositive();
        }
        int count = Math.clamp(expected.length - from, 0, length);
        assertThat(read.flip())
            .isEqualTo(ByteBuffer.wrap(expected, Math.min(from, expected.length), count));
      }
    }
  }

  @Test
  void aFolderOfManyFilesIsListedWholeAndOnce() throws Exception {
    int count = 100_000;
    ObjectsDoor door = new ObjectsDoor();
    for (int i = 0; i < count; i++) {
      door.put("many/f" + i, new byte[0]);
    }
    try (Mount mount = Mounting.mount(door, folder, FRESHNESS)) {
      String listing = Mounting.run(mount.target().resolve("many"), "ls", "-U");
      List<String> names = listing.lines().toList();
      assertThat(names).hasSize(count);
      assertThat(Set.copyOf(names)).hasSize(count);
      assertThat(door.listed()).isLessThan(2 * count / 1000);
      String found = Mounting.run(mount.target(), "find", ".", "-type", "f", "-size", "0");
      assertThat(found.lines()).hasSize(count);
    }
  }

  @Test
  void aListedFolderTeachesWhatItsFilesAre() throws Exception {
    ObjectsDoor door = new ObjectsDoor();
    for (int i = 0; i < 2000; i++) {
      door.put("d/f" + i, new byte[] {1});
    }
    try (Mount mount = Mounting.mount(door, folder, FRESHNESS)) {
      Mounting.run(mount.target(), "ls", "-lR");
      int before = door.asked();
      assertThat(Mounting.run(mount.target().resolve("d"), "cat", "f1", "f1999")).hasSize(2);
      assertThat(door.asked() - before).isZero();
    }
  }

  @Test
  void namesThatNoFolderCanShowAreLeftOutAndSaidOnce() throws Exception {
    ObjectsDoor door = new ObjectsDoor();
    String longest = "é".repeat(127) + "e";
    for (String name :
        List.of(
            "ok",
            longest,
            "é".repeat(128),
            "a//b",
            "a/./c",
            "a/../d",
            "/e",
            "f/",
            "g\0h",
            "a/\ud800",
            "a/good",
            "//",
            "f/ok")) {
      door.put(name, name.getBytes(StandardCharsets.UTF_8));
    }
    try (LogCapture log = LogCapture.warnings(DoorFiles.class);
        Mount mount = Mounting.mount(door, folder, FRESHNESS)) {
      assertThat(filesBelow(mount.target()))
          .containsExactlyInAnyOrder("ok", longest, "a/good", "f/ok");
      int said = log.messages().size();
      assertThat(said).isGreaterThanOrEqualTo(6);
      assertThat(filesBelow(mount.target())).hasSize(4);
      assertThat(log.messages()).hasSize(said);
      assertThatThrownBy(() -> Files.size(mount.target().resolve("g")))
          .isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void aNameThatIsObjectAndFolderIsTheFolder() throws Exception {
    ObjectsDoor door = new ObjectsDoor();
    door.put("a", new byte[] {1});
    for (int i = 0; i < 2500; i++) {
      door.put("a!" + i, new byte[] {2});
    }
    door.put("a!7/x", new byte[] {3});
    door.put("a/inside", new byte[] {4});
    door.put("marker/", new byte[0]);
    try (LogCapture log = LogCapture.warnings(DoorFiles.class);
        Mount mount = Mounting.mount(door, folder, FRESHNESS)) {
      assertThat(Mounting.run(mount.target(), "ls", "-U").lines())
          .hasSize(2502)
          .doesNotHaveDuplicates()
          .contains("a", "a!7", "marker");
      assertThat(Files.isDirectory(mount.target().resolve("a"))).isTrue();
      assertThat(Files.isDirectory(mount.target().resolve("a!7"))).isTrue();
      assertThat(Files.readAllBytes(mount.target().resolve("a/inside"))).containsExactly(4);
      assertThat(Mounting.run(mount.target().resolve("marker"), "ls", "-A")).isEmpty();
      assertThat(log.messages())
          .anyMatch(line -> line.contains("'a' is an object and a folder"))
          .anyMatch(line -> line.contains("'a!7' is an object and a folder"));
    }
  }

  @Test
  void inodesAreThoseOfTheMountBefore() throws Exception {
    ObjectsDoor door = new ObjectsDoor();
    door.put("x/y", new byte[] {1});
    List<String> first;
    try (Mount mount = Mounting.mount(door, folder, FRESHNESS)) {
      first = inodes(mount);
    }
    door.put("w", new byte[] {2});
    try (Mount mount = Mounting.mount(door, folder, FRESHNESS)) {
      assertThat(inodes(mount)).isEqualTo(first);
    }
  }

  private static List<String> inodes(Mount mount) throws Exception {
    return Mounting.run(mount.target(), "stat", "-c", "%i %h %a %F", "x", "x/y").lines().toList();
  }

  @Test
  void attributesTellTypeRightsAndVersion() throws Exception {
    ObjectsDoor door = new ObjectsDoor();
    String version = door.put("d/file", new byte[1000]).version();
    try (Mount mount = Mounting.mount(door, folder, FRESHNESS)) {
      String user = Mounting.run(folder, "id", "-u").strip();
      assertThat(
              Mounting.run(mount.target(), "stat", "-c", "%F %a %h %u %s %b", "d", "d/file")
                  .lines())
          .containsExactly(
              "directory 555 1 " + user + " 0 0", "regular file 444 1 " + user + " 1000 2");
      UserDefinedFileAttributeView view =
          Files.getFileAttributeView(
              mount.target().resolve("d/file"), UserDefinedFileAttributeView.class);
      assertThat(view.list()).containsExactlyInAnyOrder("quiver.etag", "quiver.content_type");
      assertThat(attribute(view, "quiver.etag")).isEqualTo(version);
      assertThat(attribute(view, "quiver.content_type")).isEqualTo("text/plain");
      assertThat(Mounting.run(mount.target(), "stat", "-f", "-c", "%l %a", ".").strip())
          .isEqualTo("255 0");
    }
  }

  @Test
  void theTopFolderTellsTheStatisticsOfTheDoor() throws Exception {
    try (Mount mount = Mounting.mount(new ObjectsDoor(), folder, FRESHNESS)) {
      UserDefinedFileAttributeView view =
          Files.getFileAttributeView(mount.target(), UserDefinedFileAttributeView.class);
      assertThat(view.list()).contains("quiver.statistics");
      assertThat(attribute(view, "quiver.statistics"))
          .contains("\"store_reads\":", "\"streams\":{\"records\":", "\"prefetch\":{\"begun\":");
    }
  }

  private static String attribute(UserDefinedFileAttributeView view, String name)
      throws IOException {
    ByteBuffer value = ByteBuffer.allocate(view.size(name));
    view.read(name, value);
    return StandardCharsets.UTF_8.decode(value.flip()).toString();
  }

  @Test
  void nothingCanBeWritten() throws Exception {
    ObjectsDoor door = new ObjectsDoor();
    door.put("f", new byte[] {1});
    try (Mount mount = Mounting.mount(door, folder, FRESHNESS)) {
      Path file = mount.target().resolve("f");
      for (Callable<?> write :
          List.<Callable<?>>of(
              () -> Files.writeString(file, "x"),
              () -> Files.createDirectory(mount.target().resolve("d")),
              () -> Files.createFile(mount.target().resolve("g")),
              () -> Files.deleteIfExists(file))) {
        assertThatThrownBy(write::call).hasMessageContaining("Read-only file system");
      }
      assertThat(Files.readAllBytes(file)).containsExactly(1);
    }
  }

  @Test
  void manyReadersGetTheirOwnBytes() throws Exception {
    ObjectsDoor door = new ObjectsDoor();
    Random random = new Random(7);
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < 300; i++) {
      byte[] bytes = new byte[50_000 + random.nextInt(200_000)];
      random.nextBytes(bytes);
      files.put("f" + i, bytes);
    }
    files.forEach(door::put);
    try (Mount mount = Mounting.mount(door, folder, FRESHNESS);
        ExecutorService readers = Executors.newFixedThreadPool(32)) {
      List<Future<?>> all = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        files.forEach((name, bytes) ->
            all.add(
                readers.submit(() -> {
                  assertThat(Files.readAllBytes(mount.target().resolve(name))).isEqualTo(bytes);
                  return null;
                })));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  @Test
  void standardToolsReadTheTree() throws Exception {
    Path source = Files.createDirectory(folder.resolve("source"));
    Random random = new Random(11);
    ObjectsDoor door = new ObjectsDoor();
    for (int i = 0; i < 200; i++) {
      String name = "class" + i % 10 + "/image" + i + ".jpg";
      byte[] bytes = new byte[random.nextInt(60_000)];
      random.nextBytes(bytes);
      if (i == 77) {
        bytes = "needle in hay\n".getBytes(StandardCharsets.UTF_8);
      }
      Files.createDirectories(source.resolve(name).getParent());
      Files.write(source.resolve(name), bytes);
      door.put(name, bytes);
    }
    try (Mount mount = Mounting.mount(door, folder, FRESHNESS)) {
      Path target = mount.target();
      String sums = "find . -type f | LC_ALL=C sort | xargs md5sum";
      assertThat(Mounting.run(target, "sh", "-c", sums))
          .isEqualTo(Mounting.run(source, "sh", "-c", sums));
      assertThat(Mounting.run(folder, "diff", "-r", source.toString(), target.toString()))
          .isEmpty();
      assertThat(Mounting.run(target, "grep", "-rl", "needle", ".").strip())
          .isEqualTo("./class7/image77.jpg");
      Path archive = folder.resolve("all.tar");
      Mounting.run(target, "tar", "-cf", archive.toString(), ".");
      Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
      Mounting.run(unpacked, "tar", "--no-same-permissions", "-xf", archive.toString());
      assertThat(Mounting.run(folder, "diff", "-r", source.toString(), unpacked.toString()))
          .isEmpty();
      Mounting.run(unpacked, "chmod", "-R", "u+w", ".");
    }
  }
}
