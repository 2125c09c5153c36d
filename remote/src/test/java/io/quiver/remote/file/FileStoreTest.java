package io.quiver.remote.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.remote.NameOrder;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.RemoteStoreContract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local files. */
final class FileStoreTest extends RemoteStoreContract {
  @TempDir Path root;

  @Override
  protected RemoteStore filled(String folder, Map<String, byte[]> objects) throws IOException {
    Path target = Files.createDirectories(root.resolve(folder));
    for (Map.Entry<String, byte[]> object : objects.entrySet()) {
      replace(folder, object.getKey(), object.getValue());
    }
    return FileStore.open(target, 700);
  }

  @Override
  protected void replace(String folder, String name, byte[] bytes) throws IOException {
    Path file = root.resolve(folder + name);
    Files.createDirectories(file.resolveSibling(""));
    Files.write(file, bytes);
  }

  @Test
  void pagesOfAnySizeGiveTheSameOrder() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Path target = Files.createDirectories(root.resolve("pages"));
    TreeSet<String> expected = new TreeSet<>(NameOrder.UTF_8);
    for (int i = 0; i < 300; i++) {
      String name = randomName(random);
      if (expected.stream().noneMatch(other -> clash(other, name))) {
        Files.createDirectories(target.resolve(name).resolveSibling(""));
        Files.createFile(target.resolve(name));
        expected.add(name);
      }
    }
    for (int pageSize : new int[] {1, 2, 7, 1000}) {
      for (String prefix : List.of("", "a", "a/", "a-", "b/a", "c/c/")) {
        try (RemoteStore store = FileStore.open(target, pageSize);
            Stream<RemoteObject> listed = store.list(prefix)) {
          assertThat(listed.map(RemoteObject::name))
              .as("seed %d, page size %d, prefix %s", seed, pageSize, prefix)
              .containsExactlyElementsOf(
                  expected.stream().filter(name -> name.startsWith(prefix)).toList());
        }
      }
    }
  }

  @Test
  void nothingIsListedBelowAFile() throws IOException {
    Path target = Files.createDirectories(root.resolve("below"));
    Files.createFile(target.resolve("file"));
    for (String prefix : List.of("file/", "file/a/", "file/a/b")) {
      try (RemoteStore store = FileStore.open(target);
          Stream<RemoteObject> listed = store.list(prefix)) {
        assertThat(listed).as(prefix).isEmpty();
      }
    }
  }

  private static boolean clash(String left, String right) {
    return (left + "/").startsWith(right + "/") || (right + "/").startsWith(left + "/");
  }

  private static String randomName(Random random) {
    StringBuilder name = new StringBuilder();
    int parts = 1 + random.nextInt(3);
    for (int i = 0; i < parts; i++) {
      name.append(i > 0 ? "/" : "").append("abc".charAt(random.nextInt(3)));
      name.append(
          List.of("", "", "-", ".", "0", "a", " ", "\ud83d\ude80", "\ufb01")
              .get(random.nextInt(9)));
    }
    return name.toString();
  }

  @Test
  void linksAreFollowedOnlyToFilesInsideTheRoot() throws IOException {
    Path target = Files.createDirectories(root.resolve("links/inside/folder"));
    Path outside = Files.writeString(root.resolve("links/outside"), "secret");
    Path inside = target.resolveSibling("");
    Files.writeString(target.resolve("file"), "fine");
    Files.createSymbolicLink(inside.resolve("good"), Path.of("folder/file"));
    Files.createSymbolicLink(inside.resolve("escape"), outside);
    Files.createSymbolicLink(inside.resolve("loop"), Path.of("."));
    Files.createSymbolicLink(inside.resolve("broken"), Path.of("gone"));
    try (RemoteStore store = FileStore.open(inside);
        Stream<RemoteObject> listed = store.list("")) {
      assertThat(listed.map(RemoteObject::name)).containsExactly("folder/file", "good");
      assertThat(read(store, "good", 0, 4)).isEqualTo("fine".getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> store.stat("escape"))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("escape");
      assertThatThrownBy(() -> read(store, "escape", 0, 1))
          .isInstanceOf(AccessDeniedException.class);
      assertThatThrownBy(() -> store.stat("broken")).isInstanceOf(NoSuchFileException.class);
      assertThat(store.list("loop/")).isEmpty();
    }
  }

  @Test
  void namesThatAreNoPlainPathsAreRefused() throws IOException {
    Files.createDirectories(root.resolve("plain"));
    try (RemoteStore store = FileStore.open(root.resolve("plain"))) {
      for (String name : List.of("/etc/passwd", "..", "a/../../x", "./x", "a//b", "a/", "x\0y")) {
        assertThatThrownBy(() -> store.stat(name)).isInstanceOf(NoSuchFileException.class);
        assertThat(store.list(name)).isEmpty();
      }
    }
  }

  @Test
  void aRootThatIsNoFolderIsRefused() throws IOException {
    Path file = Files.writeString(root.resolve("plain-file"), "x");
    assertThatThrownBy(() -> FileStore.open(file)).isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> FileStore.open(root.resolve("gone")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
