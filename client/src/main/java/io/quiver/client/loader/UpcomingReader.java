package io.quiver.client.loader;

import io.quiver.client.Lookup;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.engine.ItemStatus;
import io.quiver.core.engine.ReadAheadWindow;
import io.quiver.core.engine.ReadAheadWindow.Kind;
import io.quiver.core.engine.ReadAheadWindow.Step;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the items that a strict order will need before they are drawn: a thread that carries out
 * the steps of the epoch's {@link ReadAheadWindow}.
 */
final class UpcomingReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UpcomingReader.class);
  private static final long LOOK_AGAIN_MILLIS = 200;

  private final DatasetDigest digest;
  private final CacheAccess cache;
  private final Supplier<ItemSpaces> spaces;
  private final StoreFetcher fetcher;
  private final Epoch epoch;
  private final Tally tally;
  private final Semaphore news = new Semaphore(0);
  private volatile boolean closed;

  /** A decision about the window of an epoch and the items that come next in it. */
  @FunctionalInterface
  interface Decision {
    Step next(ReadAheadWindow<?> window, IntFunction<int[]> upcoming);
  }

  /** The epoch whose order is known. */
  interface Epoch {
    /**
     * Takes a decision and begins to fetch what it says, before anything else can be drawn.
     *
     * @param fetch begins to fetch an item
     */
    Step decide(Decision decision, IntConsumer fetch);

    /** Returns the items that were looked up and not drawn. */
    Set<Integer> asked();
  }

  /** Begins to read ahead in an epoch, with what all epochs of a job share. */
  @FunctionalInterface
  interface Start {
    UpcomingReader begin(Epoch epoch, Tally tally);
  }

  /**
   * Begins to read ahead.
   *
   * @param spaces the spaces into which items are inserted at this moment
   */
  UpcomingReader(
      DatasetDigest digest,
      CacheAccess cache,
      Supplier<ItemSpaces> spaces,
      StoreFetcher fetcher,
      Epoch epoch,
      Tally tally) {
    this.digest = digest;
    this.cache = cache;
    this.spaces = spaces;
    this.fetcher = fetcher;
    this.epoch = epoch;
    this.tally = tally;
    Thread.ofVirtual().name("quiver-loader-upcoming").start(this::run);
  }

  /** Looks ahead again, because the order has moved on. */
  void moveOn() {
    news.release();
  }

  private void run() {
    try {
      while (!closed) {
        readAhead();
        boolean _ = news.tryAcquire(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        news.drainPermits();
      }
    } catch (InterruptedException e) {
      LOG.debug("reading ahead was interrupted");
    } catch (RuntimeException e) {
      LOG.warn("reading ahead failed; batches are read when they are drawn", e);
    } finally {
      epoch.asked().forEach(fetcher::forget);
    }
  }

  private void readAhead() {
    ItemSpaces where = spaces.get();
    IntConsumer fetch = item -> fetcher.ahead(item, where.target(item), tally);
    Step step = epoch.decide(ReadAheadWindow::lookAhead, fetch);
    if (step.kind() == Kind.LOOK_UP) {
      List<ItemStatus> found = ask(step, false);
      step =
          epoch.decide(
              (window, upcoming) ->
                  window.lookedUp(found, item -> where.target(item) != null, upcoming),
              fetch);
    }
    if (step.kind() == Kind.CLAIM) {
      List<ItemStatus> granted = ask(step, true);
      epoch.decide((window, upcoming) -> window.claimed(granted, upcoming), fetch);
    }
  }

  private @Nullable List<ItemStatus> ask(Step step, boolean claim) {
    Lookup lookup = cache.lookup(step.items().stream().map(digest::hash).toList(), claim);
    return lookup == null ? null : lookup.statuses().stream().map(BatchReader::status).toList();
  }

  /** Ends reading ahead; items that no batch took are forgotten. */
  @Override
  public void close() {
    closed = true;
    news.release();
  }
}
