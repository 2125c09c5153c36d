package io.quiver.client.loader;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the reads from the store that are under way. What a batch waits for goes before what is
 * read for later.
 */
final class FetchGate {
  /** What a read is for. */
  enum Lane {
    /** A batch needs it. */
    DEMAND,
    /** A chunk is brought in ahead of time. */
    PRELOAD
  }

  private final StoreReads bounds;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition demandTurn = lock.newCondition();
  private final Condition preloadTurn = lock.newCondition();
  private final Condition quiet = lock.newCondition();
  private int demandWaiting;
  private int active;
  private int preloading;
  private boolean closed;

  FetchGate(StoreReads bounds) {
    this.bounds = bounds;
  }

  /**
   * Waits for a turn: as long as those before it take, whose reads have deadlines.
   *
   * @throws InterruptedIOException if there will be none
   */
  void enter(Lane lane) throws InterruptedIOException {
    lock.lock();
    try {
      if (lane == Lane.DEMAND) {
        awaitDemand();
      } else {
        awaitPreload();
      }
      active++;
      callNext();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting to read from the store");
    } finally {
      lock.unlock();
    }
  }

  private void awaitDemand() throws InterruptedException, InterruptedIOException {
    demandWaiting++;
    try {
      while (!closed && active >= bounds.all()) {
        demandTurn.await();
      }
      requireOpen();
    } finally {
      demandWaiting--;
    }
  }

  private void awaitPreload() throws InterruptedException, InterruptedIOException {
    while (!closed && !mayPreload()) {
      preloadTurn.await();
    }
    requireOpen();
    preloading++;
  }

  private boolean mayPreload() {
    return demandWaiting == 0 && active < bounds.all() && preloading < bounds.preload();
  }

  /** Wakes one who may enter; that one wakes the next, so that no room stays unused. */
  private void callNext() {
    if (demandWaiting > 0 && active < bounds.all()) {
      demandTurn.signal();
    } else if (mayPreload()) {
      preloadTurn.signal();
    }
  }

  private void requireOpen() throws InterruptedIOException {
    if (closed) {
      throw new InterruptedIOException("the loader was closed");
    }
  }

  void leave(Lane lane) {
    lock.lock();
    try {
      active--;
      preloading -= lane == Lane.PRELOAD ? 1 : 0;
      callNext();
      if (active == 0) {
        quiet.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Lets nobody in any more and waits until all are out; says whether they are. */
  boolean close(Duration longest) {
    lock.lock();
    try {
      closed = true;
      demandTurn.signalAll();
      preloadTurn.signalAll();
      long left = longest.toNanos();
      while (active > 0 && left > 0) {
        left = quiet.awaitNanos(left);
      }
      return active == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }
}
