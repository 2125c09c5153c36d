package io.quiver.store.ssd;

import static io.quiver.store.ssd.StoreFixture.A;
import static io.quiver.store.ssd.StoreFixture.B;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.Blob;
import io.quiver.store.BlobStore.SpaceUsage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens large stores in processes with a small heap, one after the other, of which the first is
 * killed. The long tests have the sizes of whole disks.
 */
final class SmallHeapTest {
  private static final boolean LONG = Boolean.getBoolean("quiver.test.long");
  private static final int SEGMENTS = LONG ? 4096 : 450;
  private static final int SHARED_BLOBS = LONG ? 10_000_000 : 60_000;
  private static final int PER_SEGMENT = 4_000_000;
  private static final int HEAP_MEGABYTES = LONG ? 96 : 24;
  private static final int HOLE_BYTES = (1 << 30) - (1 << 20);
  private static final int MORE_BLOBS = 1000;
  private static final long CAPACITY = 8L << 40;
  private static final long NONCE = 0x1234_5678_9abc_def0L;

  @TempDir Path directory;

  @Test
  void segmentsOfAWholeDiskFitASmallHeap() throws Exception {
    for (int number = 1; number <= SEGMENTS; number++) {
      writeSegment(A, number, number - 1, number, RecordHeader.DATA);
      addHole(A, number);
    }
    openAndKill(SEGMENTS, 2 * SEGMENTS, 0);
    openAndDropB(SEGMENTS + MORE_BLOBS, 2 * SEGMENTS + MORE_BLOBS, MORE_BLOBS);
  }

  @Test
  void theOwnersOfSharedBlobsFitASmallHeap() throws Exception {
    for (int from = 0; from < SHARED_BLOBS; from += PER_SEGMENT) {
      int to = Math.min(SHARED_BLOBS, from + PER_SEGMENT);
      writeSegment(A, 2 * from + 1, from, to, RecordHeader.DATA);
      writeSegment(B, 2 * from + 2, from, to, RecordHeader.REFERENCE);
    }
    openAndKill(SHARED_BLOBS, SHARED_BLOBS, SHARED_BLOBS);
    int now = SHARED_BLOBS + MORE_BLOBS;
    openAndDropB(now, now, now);
  }

  private void openAndKill(int readable, int ofA, int ofB) throws IOException {
    List<String> said = run(4, "" + readable, "put");
    assertThat(said).containsExactly("a " + ofA, "b " + ofB, "missing 0");
  }

  private void openAndDropB(int readable, int ofA, int ofB) throws IOException {
    List<String> said = run(0, "" + readable, "drop");
    assertThat(said)
        .containsExactly("a " + ofA, "b " + ofB, "missing 0", "a " + ofA, "b 0", "missing 0");
  }

  /** Returns what a process says; the long tests print its figures. */
  private List<String> run(int lines, String readable, String then) throws IOException {
    List<String> said =
        DoomedProcess.run(
            HEAP_MEGABYTES, SmallProcess.class, lines, directory.toString(), readable, then);
    said.stream().filter(line -> LONG && line.startsWith("#")).forEach(System.out::println);
    return said.stream().filter(line -> !line.startsWith("#")).toList();
  }

  /** Adds a long record to a segment, all of it a hole, and seals the segment. */
  private void addHole(SpaceId space, int number) throws IOException {
    Path path = directory.resolve("spaces").resolve(space.name()).resolve(number + ".seg");
    ByteBuffer record = ByteBuffer.allocate(RecordHeader.BYTES);
    ContentHash hash = ContentHash.ofContent(("hole " + number).getBytes(UTF_8));
    RecordHeader.data(HOLE_BYTES, 0, hash).write(record, NONCE);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      long end = RecordHeader.align(file.length());
      file.getChannel().write(record, end);
      file.setLength(end + RecordHeader.BYTES + HOLE_BYTES);
      file.getChannel().write(new SegmentHeader(NONCE, true).encode(), 0);
    }
  }

  /** Writes a segment that was never sealed, with a record for each of these numbers. */
  private void writeSegment(SpaceId space, int number, int from, int to, byte kind)
      throws IOException {
    Path folder = Files.createDirectories(directory.resolve("spaces").resolve(space.name()));
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    try (FileChannel file =
        FileChannel.open(
            folder.resolve(number + SegmentFiles.SUFFIX),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE)) {
      buffer.put(new SegmentHeader(NONCE, false).encode());
      ByteBuffer record = ByteBuffer.allocate(2 * RecordHeader.BYTES);
      for (int i = from; i < to; i++) {
        ByteBuffer content = content(i);
        CRC32C crc = new CRC32C();
        crc.update(content.duplicate());
        ContentHash hash = ContentHash.ofContent(content);
        RecordHeader header =
            new RecordHeader(
                RecordHeader.LIVE, kind, content.remaining(), (int) crc.getValue(), hash);
        header.write(record.clear(), NONCE);
        record.put(RecordHeader.BYTES, content, 0, content.remaining());
        buffer.put(record.limit((int) header.recordBytes()));
        if (buffer.remaining() < record.capacity() || i + 1 == to) {
          file.write(buffer.flip());
          buffer.clear();
        }
      }
    }
  }

  private static ByteBuffer content(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(0, number);
  }

  /** Opens a store, says what it finds, and puts more into two spaces or drops b. */
  static final class SmallProcess {
    private static final int SAMPLE = 20_000;

    private SmallProcess() {}

    /** Runs with the directory, the number of readable blobs, and "put" or "drop". */
    public static void main(String[] arguments) throws Exception {
      int readable = Integer.parseInt(arguments[1]);
      SsdStoreConfig config = SsdStoreConfig.of(List.of(Path.of(arguments[0])), CAPACITY);
      long begin = System.nanoTime();
      SsdBlobStore store = SsdBlobStore.open(config, RecoveryProgress.NONE);
      double opening = (System.nanoTime() - begin) / 1e9;
      say(store, readable);
      begin = System.nanoTime();
      if (arguments[2].equals("put")) {
        for (int i = readable; i < readable + MORE_BLOBS; i++) {
          StoreFixture.put(store, A, Blob.of(content(i).array()));
          StoreFixture.put(store, B, Blob.of(content(i).array()));
        }
      } else {
        store.drop(B);
      }
      System.out.printf(
          "# %d blobs, %.1f TB of files: opened in %.1f s, %s in %.1f s, %d MB of heap, %s%n",
          store.usage().blobs(),
          store.usage().usedBytes() / 1e12,
          opening,
          arguments[2],
          (System.nanoTime() - begin) / 1e9,
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20,
          memory());
      if (arguments[2].equals("put")) {
        Thread.currentThread().join(); // until it is killed
      }
      say(store, readable);
      store.close();
    }

    private static void say(SsdBlobStore store, int readable) {
      System.out.println("a " + blobs(store, A));
      System.out.println("b " + blobs(store, B));
      System.out.println("missing " + missing(store, readable));
    }

    private static int missing(SsdBlobStore store, int readable) {
      int missing = 0;
      for (int i = 0; i < readable; i += 1 + readable / SAMPLE) {
        missing += StoreFixture.hasRight(store, Blob.of(content(i).array())) ? 0 : 1;
      }
      return missing;
    }

    private static long blobs(SsdBlobStore store, SpaceId space) {
      return store.spaces().stream()
          .filter(usage -> usage.space().equals(space))
          .mapToLong(SpaceUsage::blobs)
          .sum();
    }

    private static String memory() throws IOException {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("VmHWM") || line.startsWith("RssAnon"))
          .map(line -> line.replaceAll("\\s+", " "))
          .toList()
          .toString();
    }
  }
}
