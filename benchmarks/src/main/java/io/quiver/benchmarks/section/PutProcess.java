package io.quiver.benchmarks.section;

import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.client.Blob;
import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.PutAnswer;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Times hashing and inserting in a process of its own, on as many threads as there are processors.
 * Arguments: {@code hash|store|client}, a folder or a port, then the sets: the first ones warm up,
 * the last one counts. Prints gigabytes per second.
 */
public final class PutProcess {
  private static final int THREADS = Runtime.getRuntime().availableProcessors();
  private static final long BATCH_BYTES = 4_000_000;

  private PutProcess() {}

  /** Handles blobs from an index up to another. */
  private interface Work {
    void take(BlobSet set, ContentHash[] hashes, ByteBuffer content, int from, int to);
  }

  /** Runs the process. */
  public static void main(String[] arguments) throws Exception {
    List<BlobSet> sets = new ArrayList<>();
    for (int i = 2; i < arguments.length; i++) {
      sets.add(BlobSet.fromArgument(arguments[i]));
    }
    switch (arguments[0]) {
      case "hash" -> report(sets, PutProcess::hash);
      case "store" -> {
        SsdStoreConfig config = SsdStoreConfig.of(List.of(Path.of(arguments[1])), 16L << 30);
        try (BlobStore store = SsdBlobStore.open(config, RecoveryProgress.NONE)) {
          report(
              sets, (set, hashes, content, from, to) -> put(store, set, hashes, content, from, to));
        }
      }
      case "client" -> {
        URI uri = URI.create("http://127.0.0.1:" + arguments[1]);
        try (CacheClient client = CacheClient.connect(ClientConfig.of(List.of(uri)))) {
          report(
              sets,
              (set, hashes, content, from, to) -> put(client, set, hashes, content, from, to));
        }
      }
      default -> throw new IllegalArgumentException("nothing is called " + arguments[0]);
    }
  }

  private static void report(List<BlobSet> sets, Work work) throws Exception {
    double speed = 0;
    for (BlobSet set : sets) {
      speed = measure(set, work);
    }
    System.out.println(speed);
    System.out.flush();
  }

  private static double measure(BlobSet set, Work work) throws Exception {
    ContentHash[] hashes = set.hashes();
    ByteBuffer content = set.content();
    int batch = Math.clamp(BATCH_BYTES / set.bytes(), 1, 512);
    AtomicInteger next = new AtomicInteger();
    touch(content);
    long start = System.nanoTime();
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        futures.add(
            executor.submit(() -> {
              for (int from = next.getAndAdd(batch);
                  from < set.count();
                  from = next.getAndAdd(batch)) {
                work.take(set, hashes, content, from, Math.min(set.count(), from + batch));
              }
            }));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    }
    return set.setBytes() / ((System.nanoTime() - start) / 1e9) / 1e9;
  }

  /** Loads the blobs into memory: reading the benchmark's own file is no part of an insert. */
  private static void touch(ByteBuffer content) {
    int sum = 0;
    for (int at = 0; at < content.capacity(); at += 4096) {
      sum += content.get(at);
    }
    if (sum == Integer.MIN_VALUE) {
      throw new IllegalStateException("unreachable, but the loop must not be optimised away");
    }
  }

  private static void hash(
      BlobSet set, ContentHash[] hashes, ByteBuffer content, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!ContentHash.ofContent(set.blob(content, i)).equals(hashes[i])) {
        throw new IllegalStateException("a blob changed under the benchmark");
      }
    }
  }

  private static void put(
      BlobStore store, BlobSet set, ContentHash[] hashes, ByteBuffer content, int from, int to) {
    for (int i = from; i < to; i++) {
      PutOutcome outcome = store.put(hashes[i], SpaceId.DEFAULT, set.blob(content, i));
      if (outcome != PutOutcome.STORED) {
        throw new IllegalStateException("the store did not take a blob: " + outcome);
      }
    }
  }

  private static void put(
      CacheClient client, BlobSet set, ContentHash[] hashes, ByteBuffer content, int from, int to) {
    List<Blob> blobs = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      blobs.add(new Blob(hashes[i], SpaceId.DEFAULT, set.blob(content, i)));
    }
    PutAnswer answer = client.put(blobs);
    if (!answer.allHere()) {
      throw new IllegalStateException("the server did not take every blob: " + answer.failures());
    }
  }
}
