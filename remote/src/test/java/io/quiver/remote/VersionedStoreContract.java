package io.quiver.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Checks pages, details and reads of one version against every kind of store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120)
abstract class VersionedStoreContract {

  /** Puts objects below a folder (its name ends in a slash) and opens a store there. */
  protected abstract RemoteStore filled(String folder, Map<String, byte[]> objects)
      throws Exception;

  /** Replaces an object behind the store's back. */
  protected abstract void replace(String folder, String name, byte[] bytes) throws Exception;

  /** Deletes an object behind the store's back. */
  protected abstract void delete(String folder, String name) throws Exception;

  /** Returns the delimiters that the test's service knows. */
  protected List<String> delimiters() {
    return List.of("", "/", "/", "a", "/a");
  }

  private static Map<String, byte[]> named(Iterable<String> names) {
    Map<String, byte[]> objects = new HashMap<>();
    names.forEach(name -> objects.put(name, name.getBytes(StandardCharsets.UTF_8)));
    return objects;
  }

  private static NavigableSet<String> inOrder(Iterable<String> names) {
    NavigableSet<String> sorted = new TreeSet<>(NameOrder.UTF_8);
    names.forEach(sorted::add);
    return sorted;
  }

  /** Reads all pages and returns the entries in order, objects and groups together. */
  private static List<String> entries(RemoteStore store, ListingRequest first) throws IOException {
    List<String> entries = new ArrayList<>();
    ListingRequest request = first;
    for (int pages = 0; pages < 1000; pages++) {
      ListingPage page = store.page(request);
      List<String> names = page.objects().stream().map(RemoteObject::name).toList();
      assertThat(names.size() + page.groups().size()).isLessThanOrEqualTo(first.maxEntries());
      assertThat(names).containsExactlyElementsOf(inOrder(names));
      assertThat(page.groups()).containsExactlyElementsOf(inOrder(page.groups()));
      NavigableSet<String> both = inOrder(names);
      both.addAll(page.groups());
      entries.addAll(both);
      if (page.next() == null) {
        return entries;
      }
      request = request.after(page.next());
    }
    throw new AssertionError("a listing of a thousand pages: " + first);
  }

  /** Lists by the contract's words alone. */
  private static List<String> model(Iterable<String> names, ListingRequest request) {
    NavigableSet<String> entries = new TreeSet<>(NameOrder.UTF_8);
    for (String name : names) {
      if (name.startsWith(request.prefix())) {
        String rest = name.substring(request.prefix().length());
        int cut = request.delimiter().isEmpty() ? -1 : rest.indexOf(request.delimiter());
        entries.add(
            cut < 0
                ? name
                : request.prefix() + rest.substring(0, cut + request.delimiter().length()));
      }
    }
    return List.copyOf(entries.tailSet(request.startAfter(), false));
  }

  private static String randomName(Random random) {
    StringBuilder name = new StringBuilder();
    int parts = 1 + random.nextInt(3);
    for (int i = 0; i < parts; i++) {
      name.append(i > 0 ? "/" : "").append("abc".charAt(random.nextInt(3)));
      name.append(
          List.of("", "", "-", ".", "0", "a", " b", "%2F", "ñ", "\ufb01").get(random.nextInt(10)));
    }
    return name.toString();
  }

  private static boolean clash(String left, String right) {
    return (left + "/").startsWith(right + "/") || (right + "/").startsWith(left + "/");
  }

  @Test
  void pagesOfEverySizeAgreeWithAModel() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String name = randomName(random);
      if (names.stream().noneMatch(other -> clash(other, name))) {
        names.add(name);
      }
    }
    List<String> starts = new ArrayList<>(List.of("", "a", "a/", "b/a", "zz"));
    starts.add(names.get(random.nextInt(names.size())));
    try (RemoteStore store = filled("model" + seed + "/", named(names))) {
      for (int round = 0; round < 40; round++) {
        ListingRequest request =
            new ListingRequest(
                List.of("", "", "a", "a/", "b/", "c-", "none").get(random.nextInt(7)),
                delimiters().get(random.nextInt(delimiters().size())),
                starts.get(random.nextInt(starts.size())),
                null,
                List.of(1, 2, 3, 7, 1000).get(random.nextInt(5)));
        assertThat(entries(store, request))
            .as("seed %d, %s of %s", seed, request, names)
            .isEqualTo(model(names, request));
      }
    }
  }

  @Test
  void aGroupOfManyObjectsShowsOnceOnSmallPages() throws Exception {
    List<String> names = new ArrayList<>(List.of("a", "z"));
    for (int i = 0; i < 30; i++) {
      names.add("m/%02d".formatted(i));
      names.add("n/%02d/deep".formatted(i));
    }
    try (RemoteStore store = filled("groups/", named(names))) {
      for (int size = 1; size <= 5; size++) {
        assertThat(entries(store, new ListingRequest("", "/", "", null, size)))
            .containsExactly("a", "m/", "n/", "z");
      }
      assertThat(entries(store, new ListingRequest("n/", "/", "n/13/", null, 4))).hasSize(16);
    }
  }

  @Test
  void pagesAndDetailsAgreeAndKnowTheTimeOfChange() throws Exception {
    Instant before = Instant.now().minus(Duration.ofMinutes(30));
    try (RemoteStore store = filled("agree/", named(List.of("x.txt", "y")))) {
      ListingPage page = store.page(ListingRequest.all(""));
      assertThat(page.objects()).hasSize(2);
      for (RemoteObject object : page.objects()) {
        assertThat(store.details(object.name()).object()).isEqualTo(object);
        assertThat(store.stat(object.name())).isEqualTo(object);
        assertThat(object.version()).isNotEmpty();
        assertThat(object.modified()).isBetween(before, Instant.now().plus(Duration.ofMinutes(1)));
      }
    }
  }

  @Test
  void firstBytesComeWithTheDetailsOfTheirVersion() throws Exception {
    byte[] content = RemoteStoreContract.bytes(11, 5_000_000);
    Map<String, byte[]> objects =
        Map.of(
            "large", content, "small", "abc".getBytes(StandardCharsets.UTF_8), "none", new byte[0]);
    try (RemoteStore store = filled("first/", objects)) {
      for (Map.Entry<String, byte[]> object : objects.entrySet()) {
        for (long most : new long[] {0, 1, 3, 4, 4_500_000, Long.MAX_VALUE}) {
          try (FirstBytes first = store.first(object.getKey(), most)) {
            byte[] bytes = object.getValue();
            assertThat(first.details()).isEqualTo(store.details(object.getKey()));
            int length = (int) Math.min(most, bytes.length);
            assertThat(Arrays.equals(first.bytes().readAllBytes(), Arrays.copyOf(bytes, length)))
                .as("%s, %d", object.getKey(), most)
                .isTrue();
          }
        }
      }
      assertThatThrownBy(() -> store.first("gone", 10)).isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void aVersionIsReadAtEveryEdge() throws Exception {
    byte[] content = RemoteStoreContract.bytes(12, 1000);
    try (RemoteStore store = filled("edges-of-version/", Map.of("x", content, "e", new byte[0]))) {
      RemoteObject object = store.details("x").object();
      int[] edges = {0, 1, 499, 999, 1000};
      for (int from : edges) {
        for (int to : edges) {
          if (from <= to) {
            byte[] expected = Arrays.copyOfRange(content, from, to);
            ByteBuffer target = ByteBuffer.allocate(to - from);
            store.read(object, from, target);
            assertThat(target.array()).isEqualTo(expected);
            assertThat(bytes(store, object, from, to - from)).isEqualTo(expected);
          }
        }
        assertThat(bytes(store, object, from, -1))
            .isEqualTo(Arrays.copyOfRange(content, from, 1000));
        assertThat(bytes(store, object, from, Long.MAX_VALUE)).hasSize(1000 - from);
      }
      assertThat(bytes(store, store.stat("e"), 0, -1)).isEmpty();
      store.read(store.stat("e"), 0, ByteBuffer.allocate(0));
      assertThatThrownBy(() -> store.read(object, 999, ByteBuffer.allocate(2)))
          .isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> store.open(object, 1001, -1)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> store.read(object, -1, ByteBuffer.allocate(1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(
              () -> store.read(new RemoteObject("x", 1000, ""), 0, ByteBuffer.allocate(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("version");
    }
  }

  private static byte[] bytes(RemoteStore store, RemoteObject object, long offset, long length)
      throws IOException {
    try (InputStream stream = store.open(object, offset, length)) {
      return stream.readAllBytes();
    }
  }

  @Test
  void aReplacedObjectIsNoticedEvenAtTheSameSize() throws Exception {
    try (RemoteStore store = filled("replaced/", Map.of("x", RemoteStoreContract.bytes(1, 500)))) {
      RemoteObject old = store.details("x").object();
      for (int size : new int[] {500, 100, 900}) {
        replace("replaced/", "x", RemoteStoreContract.bytes(size + 7L, size));
        for (int length : new int[] {0, 1, 500}) {
          assertThatThrownBy(() -> store.read(old, 0, ByteBuffer.allocate(length)))
              .as("%d bytes, reading %d", size, length)
              .isInstanceOf(ChangedObjectException.class)
              .hasMessageContaining("'x'");
        }
        assertThatThrownBy(() -> bytes(store, old, 499, -1))
            .isInstanceOf(ChangedObjectException.class);
        RemoteObject now = store.details("x").object();
        assertThat(now.version()).isNotEqualTo(old.version());
        assertThat(bytes(store, now, 0, -1)).isEqualTo(RemoteStoreContract.bytes(size + 7L, size));
      }
    }
  }

  @Test
  void aDeletedObjectIsGoneEverywhere() throws Exception {
    try (RemoteStore store = filled("deleted/", named(List.of("x", "y")))) {
      RemoteObject old = store.details("x").object();
      delete("deleted/", "x");
      assertThatThrownBy(() -> store.details("x")).isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> store.first("x", 5)).isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> store.read(old, 0, ByteBuffer.allocate(1)))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> store.read(old, 0, ByteBuffer.allocate(0)))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> store.open(old, 0, -1)).isInstanceOf(NoSuchFileException.class);
      assertThat(entries(store, ListingRequest.folder(""))).containsExactly("y");
    }
  }

  @Test
  void readersBesideAWriterNeverSeeTwoVersionsInOne() throws Exception {
    int size = 300_000;
    byte[][] versions = new byte[8][size];
    for (int i = 0; i < versions.length; i++) {
      Arrays.fill(versions[i], (byte) i);
    }
    try (RemoteStore store = filled("mixing/", Map.of("x", versions[0]))) {
      AtomicBoolean finished = new AtomicBoolean();
      AtomicBoolean failed = new AtomicBoolean();
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  for (int i = 1; i < 40; i++) {
                    replace("mixing/", "x", versions[i % versions.length]);
                  }
                } catch (Exception trouble) {
                  failed.set(true);
                } finally {
                  finished.set(true);
                }
              });
      int whole = 0;
      while (!finished.get() || whole == 0) {
        try {
          RemoteObject now = store.details("x").object();
          ByteBuffer target = ByteBuffer.allocate((int) now.size());
          store.read(now, 0, target);
          requireOneVersion(target.array());
          requireOneVersion(bytes(store, now, 0, -1));
          try (FirstBytes first = store.first("x", size)) {
            requireOneVersion(first.bytes().readAllBytes());
          }
          whole++;
        } catch (ChangedObjectException | EOFException | NoSuchFileException seen) {
          assertThat(seen).hasMessageContaining("x");
        }
      }
      writer.join();
      assertThat(failed).isFalse();
    }
  }

  private static void requireOneVersion(byte[] bytes) {
    for (byte each : bytes) {
      if (each != bytes[0]) {
        throw new AssertionError("bytes " + bytes[0] + " and " + each + " in one read");
      }
    }
  }

  @Test
  void aClosedStoreRefusesTheseCallsToo() throws Exception {
    RemoteStore store = filled("shut/", named(List.of("x")));
    RemoteObject object = store.details("x").object();
    store.close();
    assertThatThrownBy(() -> store.page(ListingRequest.all(""))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.details("x")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.first("x", 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.read(object, 0, ByteBuffer.allocate(1)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.open(object, 0, 1)).isInstanceOf(IOException.class);
  }
}
