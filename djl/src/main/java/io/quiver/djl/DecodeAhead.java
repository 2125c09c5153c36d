package io.quiver.djl;

import io.quiver.client.loader.Batch;
import io.quiver.client.loader.LoadedEpoch;
import io.quiver.djl.DecodedBatches.Decoded;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the next batches in the threads of an executor while the training loop works on one. A
 * thread of its own takes them from the loader, one after the other, so that their order stays what
 * it was; a short queue bounds how many are ahead.
 */
final class DecodeAhead implements DecodedBatches {
  private static final int QUEUED = 2;
  private static final Duration LONGEST_DECODING = Duration.ofMinutes(15);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(10);

  private final LoadedEpoch epoch;
  private final BatchMaker maker;
  private final Executor executor;
  private final BlockingQueue<CompletableFuture<Optional<Decoded>>> queue =
      new ArrayBlockingQueue<>(QUEUED);
  private final Thread feeder;
  private volatile boolean closed;
  private @Nullable RuntimeException failure;
  private boolean ended;

  DecodeAhead(LoadedEpoch epoch, BatchMaker maker, Executor executor) {
    this.epoch = epoch;
    this.maker = maker;
    this.executor = executor;
    this.feeder = Thread.ofVirtual().name("quiver-djl-feeder").start(this::feed);
  }

  private void feed() {
    try {
      long done = 0;
      for (Optional<Batch> loaded = epoch.next(); ; loaded = epoch.next()) {
        done += loaded.map(Batch::size).orElse(0);
        put(decode(loaded, done));
        if (loaded.isEmpty()) {
          return;
        }
      }
    } catch (RuntimeException e) {
      put(CompletableFuture.failedFuture(new FeedFailure(e)));
    }
  }

  private CompletableFuture<Optional<Decoded>> decode(Optional<Batch> loaded, long done) {
    if (loaded.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    try {
      return CompletableFuture.supplyAsync(
          () -> Optional.of(maker.make(loaded.get(), done)), executor);
    } catch (RuntimeException e) {
      loaded.get().close();
      throw e;
    }
  }

  private void put(CompletableFuture<Optional<Decoded>> decoding) {
    try {
      if (closed) {
        discard(decoding);
      } else {
        queue.put(decoding);
      }
    } catch (InterruptedException e) {
      discard(decoding);
      Thread.currentThread().interrupt();
    }
  }

  private static void discard(CompletableFuture<Optional<Decoded>> decoding) {
    var _ = decoding.thenAccept(decoded -> decoded.ifPresent(each -> each.batch().close()));
  }

  @Override
  public Optional<Decoded> next() {
    if (failure != null) {
      throw new IllegalStateException(
          "epoch " + epoch.number() + " has failed before: " + failure.getMessage(), failure);
    }
    if (ended) {
      return Optional.empty();
    }
    try {
      Optional<Decoded> next = take().get(LONGEST_DECODING.toNanos(), TimeUnit.NANOSECONDS);
      ended = next.isEmpty();
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted while waiting for a batch of epoch " + epoch.number(), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "a batch of epoch "
              + epoch.number()
              + " was not decoded within "
              + LONGEST_DECODING.toSeconds()
              + " s; check the decoder, and that the executor has idle threads",
          e);
    } catch (ExecutionException e) {
      throw unwrapped(e);
    }
  }

  private CompletableFuture<Optional<Decoded>> take() throws InterruptedException {
    while (true) {
      CompletableFuture<Optional<Decoded>> first = queue.poll(1, TimeUnit.SECONDS);
      if (first != null) {
        return first;
      }
      if (closed) {
        throw new IllegalStateException("epoch " + epoch.number() + " is closed");
      }
    }
  }

  private RuntimeException unwrapped(ExecutionException e) {
    if (e.getCause() instanceof FeedFailure feed) {
      failure = feed.reason;
      return feed.reason;
    }
    return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
  }

  @Override
  public void close() {
    closed = true;
    feeder.interrupt();
    try {
      feeder.join(LONGEST_GOODBYE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (var left = queue.poll(); left != null; left = queue.poll()) {
      discard(left);
    }
  }

  /**
   * The loader gave up, and with it the epoch; a batch that cannot be decoded only loses itself.
   */
  private static final class FeedFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient RuntimeException reason;

    FeedFailure(RuntimeException reason) {
      super(reason);
      this.reason = reason;
    }
  }
}
