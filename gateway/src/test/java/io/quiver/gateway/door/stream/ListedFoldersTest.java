package io.quiver.gateway.door.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.ListedPage;
import io.quiver.gateway.door.testing.TestFiles;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.s3.S3TestServer;
import io.quiver.testkit.SeededRuns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of real stores' listings, divided into folders. */
final class ListedFoldersTest {
  private static final List<String> PARTS =
      List.of("a", "a-b", "a.b", "b", "b0", "ä", "c d", "e", "𝄞", "z");

  @TempDir private Path root;

  /** Everything that the pages of one folder said. */
  private static final class Heard {
    private final SortedMap<String, Long> children = new TreeMap<>();
    private final List<ListedPage> pages = new ArrayList<>();

    void hear(String folder, ListedPage page) {
      pages.add(page);
      for (int i = 0; i < page.names().size(); i++) {
        Long before = children.put(page.names().get(i), page.bytes()[i]);
        assertThat(before).as("'%s' of '%s' is told twice", page.names().get(i), folder).isNull();
      }
    }

    long withFirst() {
      return pages.stream().filter(ListedPage::first).count();
    }

    long withLast() {
      return pages.stream().filter(ListedPage::last).count();
    }
  }

  private static Map<String, Heard> hear(RemoteStore store, ListingRequest first) throws Exception {
    return hear(store, first, new ListedFolders());
  }

  private static Map<String, Heard> hear(
      RemoteStore store, ListingRequest first, ListedFolders folders) throws Exception {
    Map<String, Heard> heard = new LinkedHashMap<>();
    ListingRequest request = first;
    while (request != null) {
      ListingPage page = store.page(request);
      folders
          .divide(request, page)
          .forEach((folder, part) ->
              heard.computeIfAbsent(folder, any -> new Heard()).hear(folder, part));
      request = page.next() == null ? null : request.after(page.next());
    }
    return heard;
  }

  /** Returns the children of every folder at or below one, straight from the files' names. */
  private static Map<String, SortedMap<String, Long>> expected(
      Map<String, Integer> files, String top, boolean below) {
    Map<String, SortedMap<String, Long>> folders = new TreeMap<>();
    files.forEach((file, bytes) -> {
      if (!top.isEmpty() && !file.startsWith(top + "/")) {
        return;
      }
      String[] parts = file.substring(top.isEmpty() ? 0 : top.length() + 1).split("/", -1);
      String folder = top;
      for (int i = 0; i < parts.length && (i == 0 || below); i++) {
        boolean isFile = i == parts.length - 1;
        folders
            .computeIfAbsent(folder, any -> new TreeMap<>())
            .put(parts[i], isFile ? (long) bytes : -1L);
        folder = folder.isEmpty() ? parts[i] : folder + "/" + parts[i];
      }
    });
    return folders;
  }

  private static void assertSame(
      Map<String, Heard> heard, Map<String, SortedMap<String, Long>> expected) {
    assertThat(heard.keySet()).isEqualTo(expected.keySet());
    expected.forEach((folder, children) -> {
      Heard told = of(heard, folder);
      assertThat(told.children).as("children of '%s'", folder).isEqualTo(children);
      assertThat(told.withFirst()).as("'%s' begins once", folder).isEqualTo(1);
      assertThat(told.withLast()).as("'%s' ends once", folder).isEqualTo(1);
      assertThat(told.pages.getFirst().first()).isTrue();
      assertThat(told.pages.getLast().last()).isTrue();
    });
  }

  private static <V> V of(Map<String, V> folders, String folder) {
    return Objects.requireNonNull(folders.get(folder), folder);
  }

  private static String path(Random random) {
    StringBuilder path = new StringBuilder();
    for (int depth = random.nextInt(4); depth > 0; depth--) {
      path.append(PARTS.get(random.nextInt(PARTS.size()))).append('/');
    }
    return path.append("f").append(PARTS.get(random.nextInt(PARTS.size()))).toString();
  }

  @Test
  void pagesOfAnySizeTellEachFoldersChildrenOnce() {
    SeededRuns.run(
        60,
        random -> {
          Path folder = Files.createTempDirectory(root, "tree");
          Map<String, Integer> files = new TreeMap<>();
          for (int i = 1 + random.nextInt(80); i > 0; i--) {
            files.put(path(random), random.nextInt(50));
          }
          for (Map.Entry<String, Integer> file : files.entrySet()) {
            TestFiles.write(folder, file.getKey(), random, file.getValue());
          }
          String some = List.copyOf(files.keySet()).get(random.nextInt(files.size()));
          String top = random.nextBoolean() || !some.contains("/") ? "" : some.split("/", -1)[0];
          String prefix = top.isEmpty() ? "" : top + "/";
          int size = 2 + random.nextInt(random.nextBoolean() ? 5 : 100);
          try (RemoteStore store = FileStore.open(folder)) {
            assertSame(
                hear(store, new ListingRequest(prefix, "", "", null, size)),
                expected(files, top, true));
            assertSame(
                hear(store, new ListingRequest(prefix, "/", "", null, size)),
                expected(files, top, false));
          }
        });
  }

  @Test
  void pagesOfAnS3ServiceAreDividedAlike() throws Exception {
    Map<String, Integer> files = new TreeMap<>();
    for (int i = 0; i < 24; i++) {
      files.put("train/class" + i % 4 + "/item" + i, 10 + i);
    }
    files.put("train/labels", 3);
    files.put("readme", 4);
    try (S3TestServer service = S3TestServer.start()) {
      files.forEach((name, bytes) -> service.put("data/" + name, new byte[bytes]));
      try (RemoteStore store = service.store("data/")) {
        for (int size : new int[] {2, 3, 7, 1000}) {
          assertSame(
              hear(store, new ListingRequest("", "", "", null, size)), expected(files, "", true));
          assertSame(
              hear(store, new ListingRequest("train/", "/", "", null, size)),
              expected(files, "train", false));
        }
      }
    }
  }

  @Test
  void onePageSeenByTwoProgramsIsDividedOnce() throws Exception {
    TestFiles.write(root, "d/a", new Random(1), 1);
    try (RemoteStore store = FileStore.open(root)) {
      ListedFolders folders = new ListedFolders();
      ListingRequest request = ListingRequest.folder("d/");
      ListingPage page = store.page(request);
      assertThat(folders.divide(request, page)).containsOnlyKeys("d");
      assertThat(folders.divide(request, page)).isEmpty();
      assertThat(folders.divide(request, store.page(request))).containsOnlyKeys("d");
    }
  }

  @Test
  void aLookupOfAFileIsNoListing() throws Exception {
    TestFiles.write(root, "d/a", new Random(1), 1);
    try (RemoteStore store = FileStore.open(root)) {
      ListedFolders folders = new ListedFolders();
      for (String probed : List.of("d/", "d/a/", "d/none/")) {
        ListingRequest request = new ListingRequest(probed, "/", "", null, 1);
        assertThat(folders.divide(request, new ListingPage(List.of(), List.of(), null))).isEmpty();
      }
      ListingRequest request = ListingRequest.folder("d/none/");
      assertThat(folders.divide(request, store.page(request))).isEmpty();
    }
  }

  @Test
  void aPrefixInsideANameTellsNothingWholeOfItsFolder() throws Exception {
    Random random = new Random(1);
    for (String name : List.of("d/ab/x", "d/ab/y", "d/ac", "d/b")) {
      TestFiles.write(root, name, random, 1);
    }
    try (RemoteStore store = FileStore.open(root)) {
      Map<String, Heard> heard = hear(store, ListingRequest.all("d/a"));
      assertThat(heard.keySet()).containsExactlyInAnyOrder("d", "d/ab");
      assertThat(of(heard, "d").withFirst() + of(heard, "d").withLast()).isZero();
      assertThat(of(heard, "d/ab").children.keySet()).containsExactly("x", "y");
      assertThat(of(heard, "d/ab").withFirst() + of(heard, "d/ab").withLast()).isEqualTo(2);
    }
  }

  @Test
  void aPageWhosePredecessorWasMissedBeginsAndEndsNothingItMayNot() throws Exception {
    Random random = new Random(1);
    for (int i = 0; i < 6; i++) {
      TestFiles.write(root, "a/f" + i, random, 1);
      TestFiles.write(root, "b/f" + i, random, 1);
    }
    try (RemoteStore store = FileStore.open(root)) {
      ListingRequest first = new ListingRequest("", "", "", null, 4);
      ListingRequest second = first.after(store.page(first).next());
      Map<String, ListedPage> pages = new ListedFolders().divide(second, store.page(second));
      assertThat(of(pages, "a").first()).isFalse();
      assertThat(of(pages, "a").last()).isTrue();
      assertThat(of(pages, "b").first()).isTrue();
      assertThat(of(pages, "b").last()).isFalse();
      assertThat(of(pages, "").names()).containsExactly("b");
    }
  }

  @Test
  void aListingAfterANameGoesOnInItsFolder() throws Exception {
    Random random = new Random(1);
    for (String name : List.of("a/x", "a/y", "b/x")) {
      TestFiles.write(root, name, random, 1);
    }
    try (RemoteStore store = FileStore.open(root)) {
      ListingRequest request = new ListingRequest("", "", "a/x", null, 10);
      Map<String, ListedPage> pages = new ListedFolders().divide(request, store.page(request));
      assertThat(of(pages, "a").first()).isFalse();
      assertThat(of(pages, "a").names()).containsExactly("y");
      assertThat(of(pages, "b").first()).isTrue();
      assertThat(of(pages, "").first()).isFalse();
    }
  }

  @Test
  void keysOfAThousandPartsTakeNoMemoryForEach() {
    String deep = "d/".repeat(2000) + "file";
    ListingPage page =
        new ListingPage(
            List.of(new RemoteObject("a", 1, "v"), new RemoteObject(deep, 1, "v")),
            List.of(),
            null);
    Map<String, ListedPage> pages = new ListedFolders().divide(ListingRequest.all(""), page);
    assertThat(pages).containsOnlyKeys("");
    assertThat(of(pages, "").names()).containsExactly("a");
    assertThat(of(pages, "").last()).as("a key was left out").isFalse();
  }
}
