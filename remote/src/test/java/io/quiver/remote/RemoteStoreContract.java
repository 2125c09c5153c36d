package io.quiver.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.ingest.DigestBuilder;
import io.quiver.remote.ingest.DigestProgress;
import io.quiver.remote.ingest.IngestOptions;
import io.quiver.remote.ingest.IngestReport;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the contract of every store. Each kind of store has a test that only says how objects get
 * there and how the store is opened.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class RemoteStoreContract extends VersionedStoreContract {
  private static final List<String> ODD_NAMES =
      List.of(
          "a b.jpg",
          "a%20b.jpg",
          "a+b.jpg",
          "a-b",
          "a.b",
          "a/b",
          "a/b-",
          "a0",
          "at@sign=1&x;y,z",
          "b#c",
          "b?c",
          "brackets[1](2){3}",
          "quote'\"<>|^`~",
          "ünïcödé/ñ",
          "z/deep/er/and/deeper/still.txt",
          "\u65e5\u672c\u8a9e.png",
          "\ufb01 ligature",
          "\ud83d\ude80 rocket");

  public static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] content(Map<String, byte[]> objects, String name) {
    return Objects.requireNonNull(objects.get(name), name);
  }

  private static List<String> names(RemoteStore store, String prefix) throws IOException {
    try (Stream<RemoteObject> objects = store.list(prefix)) {
      return objects.map(RemoteObject::name).toList();
    }
  }

  private static List<String> inByteOrder(Iterable<String> names) {
    TreeMap<byte[], String> sorted = new TreeMap<>(Arrays::compareUnsigned);
    names.forEach(name -> sorted.put(text(name), name));
    return List.copyOf(sorted.values());
  }

  @Test
  void listsOddNamesInTheOrderOfTheirBytesAndReadsThemBack() throws Exception {
    Map<String, byte[]> objects = new HashMap<>();
    ODD_NAMES.forEach(name -> objects.put(name, text("content of " + name)));
    try (RemoteStore store = filled("odd/", objects)) {
      assertThat(names(store, "")).isEqualTo(inByteOrder(ODD_NAMES));
      for (String name : ODD_NAMES) {
        byte[] expected = content(objects, name);
        assertThat(store.stat(name).size()).as(name).isEqualTo(expected.length);
        assertThat(read(store, name, 0, expected.length)).as(name).isEqualTo(expected);
      }
    }
  }

  @Test
  void listsManyObjectsOverSeveralPages() throws Exception {
    Map<String, byte[]> objects = new HashMap<>();
    for (int i = 0; i < 1050; i++) {
      objects.put("n" + i, text("x".repeat(i % 3)));
    }
    try (RemoteStore store = filled("many/", objects);
        Stream<RemoteObject> listed = store.list("")) {
      List<RemoteObject> all = listed.toList();
      assertThat(all).extracting(RemoteObject::name).isEqualTo(inByteOrder(objects.keySet()));
      assertThat(all)
          .allSatisfy(object ->
              assertThat(object.size()).isEqualTo(content(objects, object.name()).length));
    }
  }

  @Test
  void listsOnlyNamesThatBeginWithThePrefix() throws Exception {
    Map<String, byte[]> objects = new HashMap<>();
    List<String> names = List.of("a", "ab/1", "ab/2", "ab/c/3", "ab-1", "abc", "b", "é/1");
    names.forEach(name -> objects.put(name, text(name)));
    try (RemoteStore store = filled("prefixes/", objects)) {
      for (String prefix :
          List.of("", "a", "ab", "ab/", "ab/c", "ab/c/3", "ab/c/33", "é", "zzz", "nothing/here")) {
        List<String> expected = names.stream().filter(name -> name.startsWith(prefix)).toList();
        assertThat(names(store, prefix)).as(prefix).isEqualTo(inByteOrder(expected));
      }
    }
  }

  @Test
  void aListingMayBeLeftEarly() throws Exception {
    Map<String, byte[]> objects = new HashMap<>();
    for (int i = 0; i < 50; i++) {
      objects.put("n" + i, text("x"));
    }
    try (RemoteStore store = filled("early/", objects);
        Stream<RemoteObject> listed = store.list("")) {
      assertThat(listed.findFirst()).map(RemoteObject::name).contains("n0");
    }
  }

  @Test
  void anEmptyFolderListsNothing() throws Exception {
    try (RemoteStore store = filled("empty/", Map.of())) {
      assertThat(names(store, "")).isEmpty();
      assertThat(names(store, "a")).isEmpty();
    }
  }

  @Test
  void listingAndLookupAgreeAndVersionsChangeWithContent() throws Exception {
    try (RemoteStore store = filled("versions/", Map.of("x", text("first")))) {
      RemoteObject before = store.stat("x");
      try (Stream<RemoteObject> listed = store.list("")) {
        assertThat(listed).containsExactly(before);
      }
      replace("versions/", "x", text("second content"));
      RemoteObject after = store.stat("x");
      assertThat(after.size()).isEqualTo(14);
      assertThat(after.version()).isNotEmpty().isNotEqualTo(before.version());
    }
  }

  @Test
  void readsRangesAtEveryEdge() throws Exception {
    int size = 1000;
    byte[] content = bytes(1, size);
    int[] edges = {0, 1, 2, 499, 500, 998, 999, 1000};
    try (RemoteStore store = filled("edges/", Map.of("x", content))) {
      for (int from : edges) {
        for (int to : edges) {
          if (from <= to) {
            byte[] expected = Arrays.copyOfRange(content, from, to);
            assertThat(read(store, "x", from, to - from)).as(from + "-" + to).isEqualTo(expected);
            assertThat(stream(store, "x", from, to - from)).isEqualTo(expected);
          }
        }
        assertThat(stream(store, "x", from, -1)).isEqualTo(Arrays.copyOfRange(content, from, size));
      }
    }
  }

  @Test
  void readingPastTheEndFails() throws Exception {
    try (RemoteStore store = filled("past/", Map.of("x", bytes(2, 100), "empty", new byte[0]))) {
      for (long[] range : new long[][] {{0, 101}, {99, 2}, {100, 1}, {101, 0}, {5000, 10}}) {
        assertThatThrownBy(() -> read(store, "x", range[0], (int) range[1]))
            .as(Arrays.toString(range))
            .isInstanceOf(EOFException.class)
            .hasMessageContaining("'x'");
      }
      assertThatThrownBy(() -> read(store, "empty", 0, 1)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> stream(store, "x", 101, -1)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> stream(store, "x", 101, 7)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> read(store, "x", -1, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aStreamEndsWhereTheObjectDoes() throws Exception {
    byte[] content = bytes(3, 100);
    try (RemoteStore store = filled("ends/", Map.of("x", content))) {
      assertThat(stream(store, "x", 0, 1000)).isEqualTo(content);
      assertThat(stream(store, "x", 90, Long.MAX_VALUE)).hasSize(10);
      assertThat(stream(store, "x", 100, 1000)).isEmpty();
      assertThat(stream(store, "x", 100, -1)).isEmpty();
      try (InputStream stream = store.open("x", 0, 100)) {
        stream.readAllBytes();
        assertThat(stream.read()).isEqualTo(-1);
        assertThat(stream.read(new byte[10])).isEqualTo(-1);
      }
    }
  }

  @Test
  void emptyObjectsAreListedAndRead() throws Exception {
    try (RemoteStore store = filled("nothing/", Map.of("empty", new byte[0], "full", text("x")))) {
      assertThat(names(store, "")).containsExactly("empty", "full");
      assertThat(store.stat("empty").size()).isZero();
      assertThat(read(store, "empty", 0, 0)).isEmpty();
      assertThat(stream(store, "empty", 0, -1)).isEmpty();
      assertThat(stream(store, "empty", 0, 10)).isEmpty();
    }
  }

  @Test
  void missingObjectsAreToldApart() throws Exception {
    try (RemoteStore store = filled("missing/", Map.of("there", text("x"), "dir/x", text("y")))) {
      for (String name : List.of("gone", "there/x", "dir", "dir/", "dir/gone", "../escape")) {
        assertThatThrownBy(() -> store.stat(name))
            .as(name)
            .isInstanceOf(NoSuchFileException.class)
            .hasMessageContaining(name);
        assertThatThrownBy(() -> read(store, name, 0, 1))
            .as(name)
            .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> read(store, name, 0, 0))
            .as(name)
            .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> store.open(name, 0, -1).close())
            .as(name)
            .isInstanceOf(NoSuchFileException.class);
      }
      assertThatThrownBy(() -> store.stat("")).isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void fillsAnyKindOfBuffer() throws Exception {
    byte[] content = bytes(4, 300_000);
    try (RemoteStore store = filled("buffers/", Map.of("x", content))) {
      ByteBuffer direct = ByteBuffer.allocateDirect(200_000);
      store.read("x", 50_000, direct);
      byte[] copied = new byte[200_000];
      direct.flip().get(copied);
      assertThat(copied).isEqualTo(Arrays.copyOfRange(content, 50_000, 250_000));

      byte[] array = new byte[1000];
      ByteBuffer slice = ByteBuffer.wrap(array).slice(100, 800).position(50).limit(750);
      store.read("x", 7, slice);
      assertThat(slice.position()).isEqualTo(750);
      assertThat(Arrays.copyOfRange(array, 150, 850))
          .isEqualTo(Arrays.copyOfRange(content, 7, 707));
      assertThat(array[149]).isZero();
      assertThat(array[850]).isZero();
    }
  }

  @Test
  void streamsLargeObjectsWhole() throws Exception {
    byte[] content = bytes(5, 9_000_001);
    try (RemoteStore store = filled("large/", Map.of("x", content))) {
      assertThat(Arrays.equals(stream(store, "x", 0, -1), content)).isTrue();
      assertThat(Arrays.equals(read(store, "x", 0, content.length), content)).isTrue();
      try (InputStream left = store.open("x", 1_000_000, 8_000_000)) {
        assertThat(left.readNBytes(10))
            .isEqualTo(Arrays.copyOfRange(content, 1_000_000, 1_000_010));
      }
    }
  }

  @Test
  void servesManyThreadsAtOnce() throws Exception {
    Map<String, byte[]> objects = new HashMap<>();
    for (int i = 0; i < 4; i++) {
      objects.put("o" + i, bytes(i, 200_000));
    }
    try (RemoteStore store = filled("threads/", objects);
        ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> readers = new ArrayList<>();
      for (int reader = 0; reader < 16; reader++) {
        long seed = reader;
        readers.add(pool.submit(() -> readRandomly(store, objects, new Random(seed))));
      }
      for (Future<Boolean> reader : readers) {
        assertThat(reader.get(60, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  private static boolean readRandomly(RemoteStore store, Map<String, byte[]> objects, Random random)
      throws IOException {
    for (int i = 0; i < 12; i++) {
      String name = "o" + random.nextInt(4);
      byte[] content = content(objects, name);
      int from = random.nextInt(content.length);
      int count = random.nextInt(content.length - from);
      byte[] expected = Arrays.copyOfRange(content, from, from + count);
      byte[] actual =
          random.nextBoolean() ? read(store, name, from, count) : stream(store, name, from, count);
      if (!Arrays.equals(expected, actual)) {
        return false;
      }
    }
    return true;
  }

  @Test
  void aClosedStoreRefusesEveryCall() throws Exception {
    RemoteStore store = filled("closed/", Map.of("x", text("x")));
    store.close();
    store.close();
    assertThatThrownBy(() -> store.stat("x")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read(store, "x", 0, 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.open("x", 0, 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.list("").close()).isInstanceOf(IOException.class);
  }

  protected static byte[] read(RemoteStore store, String name, long offset, int length)
      throws IOException {
    ByteBuffer target = ByteBuffer.allocate(length);
    store.read(name, offset, target);
    return target.array();
  }

  protected static byte[] stream(RemoteStore store, String name, long offset, long length)
      throws IOException {
    try (InputStream stream = store.open(name, offset, length)) {
      return stream.readAllBytes();
    }
  }

  @Test
  void aDataSetIsDigestedFromItWithItsTarMembersAndLabels(@TempDir Path folder) throws Exception {
    Map<String, byte[]> objects = new TreeMap<>();
    for (int i = 0; i < 40; i++) {
      objects.put("class-%d/item-%03d.bin".formatted(i % 4, i), bytes(i, 1 + 700 * i));
    }
    byte[] member = bytes(99, 5000);
    objects.put("shards/one.tar", tar("inside.bin", member));
    Path output = folder.resolve("data.qdg");
    try (RemoteStore store = filled("digested/", objects)) {
      IngestReport report =
          DigestBuilder.build(store, output, IngestOptions.defaults(), new DigestProgress());
      assertThat(report.items()).isEqualTo(41);
      DatasetDigest digest = DatasetDigest.open(Files.readAllBytes(output));
      digest.verify();
      assertThat(digest.classNames()).contains("class-0", "class-1", "class-2", "class-3");
      for (int item = 0; item < digest.itemCount(); item++) {
        String object = digest.objectName(digest.objectIndex(item));
        byte[] expected = object.endsWith(".tar") ? member : content(objects, object);
        assertThat(digest.hash(item)).as(object).isEqualTo(ContentHash.ofContent(expected));
        byte[] read = read(store, object, digest.offset(item), (int) digest.size(item));
        assertThat(read).as(object).isEqualTo(expected);
      }
    }
  }

  private static byte[] tar(String name, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, "UTF-8")) {
      TarArchiveEntry entry = new TarArchiveEntry(name);
      entry.setSize(content.length);
      tar.putArchiveEntry(entry);
      tar.write(content);
      tar.closeArchiveEntry();
    }
    return bytes.toByteArray();
  }
}
