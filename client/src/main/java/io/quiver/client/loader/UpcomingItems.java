package io.quiver.client.loader;

import io.quiver.client.Lookup;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.protocol.AskStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a strict order will need beyond the batches being read: the order is known, so what
 * the cache lacks is fetched before it is drawn, within the bytes that reading ahead may take.
 */
final class UpcomingItems implements AutoCloseable {
  /** Bounds one question to the cache and one look at the order. */
  private static final int MOST = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(UpcomingItems.class);
  private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final DatasetDigest digest;
  private final CacheAccess cache;
  private final Supplier<ItemSpaces> spaces;
  private final StoreFetcher fetcher;
  private final Order order;
  private final Tally tally;
  private final Set<Integer> seen = new LinkedHashSet<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  // Guarded by the lock.
  private boolean news = true;
  private boolean closed;

  /**
   * A look at what comes.
   *
   * @param items in order
   * @param room how many bytes may be ahead of the batches being read
   */
  record Look(List<Integer> items, long room) {
    Look {
      items = List.copyOf(items);
    }
  }

  /** The order of an epoch as it goes on. */
  interface Order {
    /** What comes next, and at most so much of it. */
    Look look(int most);

    /** Does something for each of these that has not been drawn yet, before it can be. */
    void beforeDrawn(List<Integer> items, int most, IntConsumer action);
  }

  /** What all epochs of a job that read ahead share; begins one. */
  @FunctionalInterface
  interface Start {
    UpcomingItems begin(Order order, Tally tally);
  }

  /**
   * Begins to read ahead.
   *
   * @param spaces where items are to be inserted at this moment
   * @param order says what comes
   */
  UpcomingItems(
      DatasetDigest digest,
      CacheAccess cache,
      Supplier<ItemSpaces> spaces,
      StoreFetcher fetcher,
      Order order,
      Tally tally) {
    this.digest = digest;
    this.cache = cache;
    this.spaces = spaces;
    this.fetcher = fetcher;
    this.order = order;
    this.tally = tally;
    Thread.ofVirtual().name("quiver-loader-upcoming").start(this::run);
  }

  /** The order has moved on. */
  void moveOn() {
    lock.lock();
    try {
      news = true;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (awaitNews()) {
        readAhead();
      }
    } catch (RuntimeException e) {
      LOG.warn("reading ahead failed; batches are read when they are drawn", e);
    } finally {
      seen.forEach(fetcher::forget);
    }
  }

  private boolean awaitNews() {
    lock.lock();
    try {
      long left = NAP_NANOS;
      while (!news && !closed && left > 0) {
        left = moved.awaitNanos(left);
      }
      news = false;
      return !closed;
    } catch (InterruptedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void readAhead() {
    Look now = order.look(MOST);
    List<Integer> coming = within(now);
    seen.retainAll(new LinkedHashSet<>(coming));
    List<Integer> unseen = coming.stream().filter(item -> !seen.contains(item)).toList();
    if (unseen.isEmpty()) {
      return;
    }
    seen.addAll(unseen);
    ItemSpaces where = spaces.get();
    Lookup lookup = cache.lookup(unseen.stream().map(digest::hash).toList(), false);
    List<Integer> own = new ArrayList<>();
    List<Integer> shared = new ArrayList<>();
    for (int i = 0; i < unseen.size(); i++) {
      if (lookup == null || lookup.status(i) != AskStatus.HIT) {
        (where.spaceOf(unseen.get(i)) == null ? own : shared).add(unseen.get(i));
      }
    }
    own.addAll(claimed(shared));
    order.beforeDrawn(own, MOST, item -> fetcher.ahead(item, where.spaceOf(item), tally));
  }

  /** The items that fit. */
  private List<Integer> within(Look now) {
    List<Integer> coming = new ArrayList<>();
    long bytes = 0;
    for (int item : now.items) {
      bytes += digest.size(item);
      if (bytes > now.room) {
        break;
      }
      coming.add(item);
    }
    return coming;
  }

  /** Which of these, all of held chunks, fall to this job; others fetch the rest. */
  private List<Integer> claimed(List<Integer> shared) {
    if (shared.isEmpty()) {
      return List.of();
    }
    Lookup lookup = cache.lookup(shared.stream().map(digest::hash).toList(), true);
    List<Integer> mine = new ArrayList<>();
    for (int i = 0; lookup != null && i < shared.size(); i++) {
      if (lookup.status(i) == AskStatus.YOURS) {
        mine.add(shared.get(i));
      }
    }
    return mine;
  }

  /** Ends reading ahead; what nobody took is forgotten. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
