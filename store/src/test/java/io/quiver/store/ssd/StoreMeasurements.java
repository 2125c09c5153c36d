package io.quiver.store.ssd;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.space.SpaceId;
import io.quiver.store.Blob;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.NameStoreContract;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Figures of the store on this machine; a program, not a test. Arguments: {@code index [blobs]},
 * {@code put <directory>}, {@code warm <directory>}, {@code names <directory> [names]} or {@code
 * cold <directory>} (the last drops the machine's page cache and needs the rights to).
 */
final class StoreMeasurements {
  private static final SpaceId SPACE = new SpaceId("measured");

  private StoreMeasurements() {}

  /** Runs one measurement. */
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "index" -> index(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10_000_000);
      case "put" -> put(Path.of(arguments[1]));
      case "warm" -> warm(Path.of(arguments[1]));
      case "cold" -> cold(Path.of(arguments[1]));
      case "names" ->
          names(
              Path.of(arguments[1]),
              arguments.length > 2 ? Integer.parseInt(arguments[2]) : 10_000_000);
      default ->
          throw new IllegalArgumentException(
              "index, put, warm, cold or names, not " + arguments[0]);
    }
  }

  private static void index(int blobs) {
    Epochs epochs = new Epochs();
    Index index = new Index(epochs);
    Random random = new Random(1);
    ContentHash[] sample = new ContentHash[1_000_000];
    for (int i = 0; i < blobs; i++) {
      ContentHash hash = randomHash(random);
      index.insert(hash.fingerprint(), 1, Location.of(1 + i % 1000, 64L * (1 + i % 100_000), 3200));
      if (i % (blobs / sample.length) == 0 && i / (blobs / sample.length) < sample.length) {
        sample[i / (blobs / sample.length)] = hash;
      }
    }
    Collections.shuffle(Arrays.asList(sample), random);
    Index.Probe probe = new Index.Probe();
    long best = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long begin = cpuNanos();
      for (ContentHash hash : sample) {
        if (index.find(hash, probe) == 0) {
          throw new IllegalStateException("lost an entry");
        }
      }
      best = Math.min(best, cpuNanos() - begin);
    }
    System.out.printf(
        "index: %,d blobs, %.1f bytes each, %.0f ns a lookup (best of 5)%n",
        index.size(), (double) index.bytes() / blobs, (double) best / sample.length);
    index.free();
  }

  /** Binds names, resolves some of them in batches, and does so again after a restart. */
  private static void names(Path directory, int count) throws IOException {
    int batch = 64;
    double binding;
    try (SsdBlobStore store = open(directory)) {
      long begin = cpuNanos();
      for (int i = 0; i < count; i++) {
        if (store.bind(NameStoreContract.binding(i, i), SPACE) != PutOutcome.STORED) {
          throw new IllegalStateException("a name was refused");
        }
      }
      binding = (cpuNanos() - begin) / 1e3 / count;
      System.gc();
      long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      System.out.printf(
          "names: %,d, %.2f us to bind one, %.1f bytes of disk each, heap %.1f MB%n",
          store.usage().names(), binding, (double) store.usage().usedBytes() / count, heap / 1e6);
      resolve(store, count, batch);
    }
    long begin = System.nanoTime();
    try (SsdBlobStore store = open(directory)) {
      System.out.printf(
          "opened again with %,d in %.1f s%n",
          store.usage().names(), (System.nanoTime() - begin) / 1e9);
      resolve(store, count, batch);
      store.drop(SPACE);
    }
  }

  private static void resolve(SsdBlobStore store, int count, int batch) {
    Random random = new Random(1);
    int rounds = 10_000;
    List<List<BlockName>> asked = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      asked.add(
          random
              .ints(batch, 0, count)
              .mapToObj(number -> NameStoreContract.binding(number, 0).name())
              .toList());
    }
    for (int pass = 0; pass < 3; pass++) {
      long begin = cpuNanos();
      long found = 0;
      for (List<BlockName> names : asked) {
        found += store.resolve(names).stream().filter(Optional::isPresent).count();
      }
      System.out.printf(
          "  resolved %,d of %,d, %.2f us each in batches of %d%n",
          found, (long) rounds * batch, (cpuNanos() - begin) / 1e3 / rounds / batch, batch);
    }
  }

  // Of this thread, so that a busy machine does not spoil the figure.
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static ContentHash randomHash(Random random) {
    byte[] bytes = new byte[ContentHash.BYTES];
    random.nextBytes(bytes);
    return ContentHash.of(bytes);
  }

  private static SsdBlobStore open(Path directory) throws IOException {
    return SsdBlobStore.open(
        SsdStoreConfig.of(List.of(directory), 64L << 30), RecoveryProgress.NONE);
  }

  private static void put(Path directory) throws Exception {
    try (SsdBlobStore store = open(directory)) {
      for (int length : new int[] {3 << 10, 20 << 10, 150 << 10, 1 << 20}) {
        int count = (int) Math.min(40_000, (512L << 20) / length);
        List<Blob> blobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          blobs.add(Blob.numbered(i, length));
        }
        double hashing = 0;
        double putting = 0;
        for (int round = 0; round < 3; round++) {
          hashing = Math.max(hashing, inTwoThreads(blobs, b -> ContentHash.ofContent(b.buffer())));
          store.drop(SPACE);
          putting = Math.max(putting, inTwoThreads(blobs, b -> StoreFixture.put(store, SPACE, b)));
        }
        System.out.printf(
            "put %7d bytes: %.2f GB/s with 2 threads, SHA-256 alone %.2f GB/s: %.2f of it%n",
            length, putting, hashing, putting / hashing);
        store.drop(SPACE);
      }
    }
  }

  private interface Work {
    Object on(Blob blob);
  }

  private static double inTwoThreads(List<Blob> blobs, Work work) throws Exception {
    long begin = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<Long>> parts = new ArrayList<>();
      for (int part = 0; part < 2; part++) {
        int first = part;
        parts.add(
            threads.submit(() -> {
              long bytes = 0;
              for (int i = first; i < blobs.size(); i += 2) {
                bytes += work.on(blobs.get(i)) == null ? 0 : blobs.get(i).content().length;
              }
              return bytes;
            }));
      }
      long bytes = 0;
      for (Future<Long> part : parts) {
        bytes += part.get();
      }
      return (double) bytes / (System.nanoTime() - begin);
    }
  }

  private static void warm(Path directory) throws Exception {
    try (SsdBlobStore store = open(directory)) {
      List<ContentHash> hashes = fill(store, 100_000, 3 << 10);
      Random random = new Random(2);
      List<List<ContentHash>> batches = batches(hashes, 2000, 512, random);
      long best = Long.MAX_VALUE;
      for (int round = 0; round < 5; round++) {
        long begin = cpuNanos();
        for (List<ContentHash> batch : batches) {
          try (BlobBatch answer = store.read(batch, 512, Long.MAX_VALUE)) {
            if (answer.hits() != 512) {
              throw new IllegalStateException("only " + answer.hits());
            }
          }
        }
        best = Math.min(best, cpuNanos() - begin);
      }
      System.out.printf(
          "warm: read of 512 x 3 KB: %.0f us (best mean of 5 runs), %s%n",
          best / 1e3 / batches.size(), store.usage());
    }
  }

  private static void cold(Path directory) throws Exception {
    int length = 150 << 10;
    List<ContentHash> hashes;
    try (SsdBlobStore store = open(directory)) {
      hashes = fill(store, 8_000, length);
    }
    try (SsdBlobStore store = open(directory)) {
      List<List<ContentHash>> batches = batches(hashes, hashes.size() / 128, 128, new Random(3));
      for (int round = 0; round < 3; round++) {
        dropCaches();
        long before = store.usage().activity().coldReads();
        long begin = System.nanoTime();
        long bytes = 0;
        for (List<ContentHash> batch : batches) {
          try (BlobBatch answer = store.read(batch, 128, Long.MAX_VALUE)) {
            bytes += answer.hitBytes();
          }
        }
        System.out.printf(
            "cold: %.2f GB/s, %d of %d blobs from disk%n",
            (double) bytes / (System.nanoTime() - begin),
            store.usage().activity().coldReads() - before,
            batches.size() * 128);
      }
    }
  }

  private static List<ContentHash> fill(SsdBlobStore store, int count, int length) {
    List<ContentHash> hashes = new ArrayList<>();
    ByteBuffer content = ByteBuffer.allocateDirect(length);
    for (int i = 0; i < length; i += 8) {
      content.putLong(i, i * 0x9E3779B97F4A7C15L);
    }
    for (int i = 0; i < count; i++) {
      content.putLong(0, i);
      ContentHash hash = ContentHash.ofContent(content);
      store.put(hash, SPACE, content);
      hashes.add(hash);
    }
    return hashes;
  }

  private static List<List<ContentHash>> batches(
      List<ContentHash> hashes, int count, int size, Random random) {
    List<ContentHash> shuffled = new ArrayList<>(hashes);
    List<List<ContentHash>> batches = new ArrayList<>();
    int at = shuffled.size();
    for (int i = 0; i < count; i++) {
      if (at + size > shuffled.size()) {
        Collections.shuffle(shuffled, random);
        at = 0;
      }
      batches.add(List.copyOf(shuffled.subList(at, at + size)));
      at += size;
    }
    return batches;
  }

  private static void dropCaches() throws Exception {
    Process sync = new ProcessBuilder("sync").inheritIO().start();
    if (!sync.waitFor(120, TimeUnit.SECONDS)) {
      throw new IllegalStateException("sync takes longer than two minutes");
    }
    Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
  }
}
