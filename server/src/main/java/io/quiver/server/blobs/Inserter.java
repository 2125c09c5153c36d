package io.quiver.server.blobs;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.Receipt;
import io.quiver.server.metrics.ServerCounter;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.store.BlobStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Puts blobs into the store on a few platform threads. One connection's blobs are hashed on all
 * cores while the next are received, and many connections take no more threads than that. What
 * waits in line is bounded by the byte budget of those who wait.
 */
public final class Inserter implements AutoCloseable {
  private static final Duration SHUTDOWN = Duration.ofSeconds(5);

  private final BlobStore store;
  private final Claims claims;
  private final ServerMetrics metrics;
  private final int threads;
  private final ExecutorService workers;

  /** Starts this many threads. */
  public Inserter(BlobStore store, Claims claims, ServerMetrics metrics, int threads) {
    this.store = store;
    this.claims = claims;
    this.metrics = metrics;
    this.threads = threads;
    this.workers =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("quiver-insert-", 0).factory());
  }

  int threads() {
    return threads;
  }

  /** Runs a task on one of the threads. */
  <T> Future<T> submit(Callable<T> task) {
    return workers.submit(task);
  }

  /** Inserts one blob and ends the claim on it. */
  Receipt insert(ContentHash hash, SpaceId space, ByteBuffer content) {
    Receipt receipt =
        switch (store.put(hash, space, content)) {
          case STORED -> Receipt.STORED;
          case ALREADY_HERE -> Receipt.ALREADY_HERE;
          case HASH_MISMATCH -> Receipt.HASH_MISMATCH;
          case TOO_LARGE -> Receipt.TOO_LARGE;
          case NO_ROOM -> Receipt.NO_ROOM;
          case DISK_FAILURE -> Receipt.DISK_FAILURE;
        };
    if (receipt.here()) {
      claims.resolve(hash);
    }
    count(receipt);
    return receipt;
  }

  /** Counts what became of a blob. */
  void count(Receipt receipt) {
    metrics.count(
        switch (receipt) {
          case STORED -> ServerCounter.BLOBS_STORED;
          case ALREADY_HERE -> ServerCounter.BLOBS_ALREADY_HERE;
          default -> ServerCounter.BLOBS_REFUSED;
        });
  }

  /** Lets what has begun finish, within a bound. */
  @Override
  public void close() {
    workers.shutdown();
    try {
      if (!workers.awaitTermination(SHUTDOWN.toNanos(), TimeUnit.NANOSECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
