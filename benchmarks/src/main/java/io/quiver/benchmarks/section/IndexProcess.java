package io.quiver.benchmarks.section;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Fills a store with tiny blobs and prints, in one line: bytes of memory outside the heap per blob
 * (everything the process took since the empty store, so the index and more), nanoseconds per
 * lookup, megabytes of heap in use after a collection, blobs inserted per second. Arguments: the
 * folder, how many blobs.
 */
public final class IndexProcess {
  private static final int BATCH = 512;
  private static final int LOOKUP_BATCHES = 4_000;
  private static final int WARM_BLOBS = 50_000;

  private IndexProcess() {}

  /** Runs the process. */
  public static void main(String[] arguments) throws Exception {
    int blobs = Integer.parseInt(arguments[1]);
    SsdStoreConfig config = SsdStoreConfig.of(List.of(Path.of(arguments[0])), 64L << 30);
    try (BlobStore store = SsdBlobStore.open(config, RecoveryProgress.NONE)) {
      fill(store, 0, WARM_BLOBS);
      lookUp(store, WARM_BLOBS);
      long before = outsideHeap();
      long start = System.nanoTime();
      fill(store, WARM_BLOBS, blobs);
      double seconds = (System.nanoTime() - start) / 1e9;
      double bytes = (double) (outsideHeap() - before) / (blobs - WARM_BLOBS);
      System.out.printf(
          Locale.ROOT,
          "%.2f %.1f %.1f %.0f%n",
          bytes,
          lookUp(store, blobs),
          heapUsed() / 1e6,
          (blobs - WARM_BLOBS) / seconds);
      System.out.flush();
    }
  }

  private static void fill(BlobStore store, int from, int to) {
    IntStream.range(from, to)
        .parallel()
        .forEach(i -> {
          ByteBuffer blob = ByteBuffer.allocate(Long.BYTES).putLong(0, i);
          if (store.put(hashOf(i), SpaceId.DEFAULT, blob) != PutOutcome.STORED) {
            throw new IllegalStateException("the store did not take blob " + i);
          }
        });
  }

  private static ContentHash hashOf(int blob) {
    return ContentHash.ofContent(ByteBuffer.allocate(Long.BYTES).putLong(0, blob));
  }

  /**
   * Returns the nanoseconds of processor time per lookup of random stored blobs; hashing them is
   * not counted.
   */
  private static double lookUp(BlobStore store, int blobs) {
    SplittableRandom random = new SplittableRandom(1);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (int batch = 0; batch < LOOKUP_BATCHES; batch++) {
      List<ContentHash> hashes = new ArrayList<>(BATCH);
      for (int i = 0; i < BATCH; i++) {
        hashes.add(hashOf(random.nextInt(blobs)));
      }
      long start = threads.getCurrentThreadCpuTime();
      boolean[] here = store.contains(hashes);
      nanos += threads.getCurrentThreadCpuTime() - start;
      for (boolean blob : here) {
        if (!blob) {
          throw new IllegalStateException("a blob is not there any more");
        }
      }
    }
    return (double) nanos / LOOKUP_BATCHES / BATCH;
  }

  private static long heapUsed() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Anonymous memory of the process that is not the Java heap. */
  private static long outsideHeap() throws IOException {
    System.gc();
    long anonymous = 0;
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("RssAnon:")) {
        anonymous = Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    return anonymous - ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted();
  }
}
