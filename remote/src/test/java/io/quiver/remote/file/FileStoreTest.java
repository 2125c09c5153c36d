package io.quiver.remote.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.NameOrder;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.RemoteStoreContract;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
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

  @Override
  protected void delete(String folder, String name) throws IOException {
    Files.delete(root.resolve(folder + name));
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

  @Test
  void aFolderOfManyFilesIsReadPageByPageAndFromAnyEntry() throws IOException {
    Path crowd = root.resolve("crowd");
    Path target = Files.createDirectories(crowd.resolve("deep"));
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      Files.createFile(target.resolve("f%06d".formatted(i)));
    }
    try (RemoteStore store = FileStore.open(crowd)) {
      assertThat(store.page(ListingRequest.folder("")).groups()).containsExactly("deep/");
      ListingRequest request = ListingRequest.folder("deep/");
      int seen = 0;
      for (String token = ""; token != null; ) {
        ListingPage page = store.page(request);
        for (RemoteObject object : page.objects()) {
          assertThat(object.name()).isEqualTo("deep/f%06d".formatted(seen++));
        }
        token = page.next();
        request = request.after(token);
      }
      assertThat(seen).isEqualTo(count);
    }
    try (RemoteStore another = FileStore.open(crowd)) {
      ListingPage page = another.page(ListingRequest.folder("deep/").after("deep/f099997"));
      assertThat(page.objects())
          .extracting(RemoteObject::name)
          .containsExactly("deep/f099998", "deep/f099999");
      assertThat(page.next()).isNull();
    }
  }

  @Test
  void aFilePutInTheFilesPlaceIsAnotherVersionEvenAtItsTimeAndSize() throws IOException {
    Path target = Files.createDirectories(root.resolve("swapped"));
    Path file = Files.writeString(target.resolve("x"), "old");
    FileTime time = Files.getLastModifiedTime(file);
    try (RemoteStore store = FileStore.open(target)) {
      RemoteObject old = store.details("x").object();
      Path other = Files.writeString(target.resolve("y"), "new");
      Files.setLastModifiedTime(other, time);
      Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
      assertThat(store.details("x").object().modified()).isEqualTo(old.modified());
      assertThatThrownBy(() -> store.read(old, 0, ByteBuffer.allocate(3)))
          .isInstanceOf(ChangedObjectException.class);
    }
  }

  @Test
  void aFileThatChangesUnderAStreamEndsTheStream() throws IOException {
    Path target = Files.createDirectories(root.resolve("under"));
    for (boolean replaced : new boolean[] {true, false}) {
      Path file = Files.write(target.resolve("x"), bytes(1, 100_000));
      try (RemoteStore store = FileStore.open(target);
          InputStream stream = store.open(store.stat("x"), 0, -1)) {
        assertThat(stream.readNBytes(1000)).hasSize(1000);
        if (replaced) {
          Path other = Files.write(target.resolve("y"), bytes(2, 100_000));
          Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        } else {
          Files.write(file, bytes(2, 100_000));
        }
        assertThatThrownBy(() -> stream.readNBytes(1000))
            .isInstanceOf(ChangedObjectException.class);
      }
    }
  }

  @Test
  void emptyFoldersShowAsGroups() throws IOException {
    Path target = root.resolve("hollow");
    Files.createDirectories(target.resolve("a/b"));
    Files.createDirectories(target.resolve("c"));
    try (RemoteStore store = FileStore.open(target)) {
      assertThat(store.page(ListingRequest.folder("")).groups()).containsExactly("a/", "c/");
      assertThat(store.page(ListingRequest.folder("a/")).groups()).containsExactly("a/b/");
      assertThat(store.page(ListingRequest.all("")).objects()).isEmpty();
    }
  }

  @Test
  void namesNoFileCanHaveAreMissing() throws IOException {
    Files.createDirectories(root.resolve("longest"));
    try (RemoteStore store = FileStore.open(root.resolve("longest"))) {
      for (String name :
          List.of("n".repeat(1024), "a/".repeat(3000) + "x", "..", "a/../b", "a//b", "/x")) {
        assertThatThrownBy(() -> store.details(name)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> store.first(name, 1)).isInstanceOf(NoSuchFileException.class);
        assertThat(store.page(ListingRequest.all(name + "/")).objects()).isEmpty();
      }
    }
  }
}
