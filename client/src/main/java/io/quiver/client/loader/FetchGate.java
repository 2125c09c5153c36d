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
  /** What a read is for, the most urgent first. */
  enum Lane {
    /** A batch needs it. */
    DEMAND,
    /** A batch will need it. */
    AHEAD,
    /** A chunk is brought in ahead of time. */
    PRELOAD
  }

  private final StoreReads bounds;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition[] turns = new Condition[Lane.values().length];
  private final int[] waiting = new int[Lane.values().length];
  private final Condition quiet = lock.newCondition();
  private int active;
  private int preloading;
  private boolean closed;

  FetchGate(StoreReads bounds) {
    this.bounds = bounds;
    for (int i = 0; i < turns.length; i++) {
      turns[i] = lock.newCondition();
    }
  }

  /**
   * Waits for a turn: as long as those before it take, whose reads have deadlines.
   *
   * @throws InterruptedIOException if there will be none
   */
  void enter(Lane lane) throws InterruptedIOException {
    lock.lock();
    try {
      await(lane);
      active++;
      preloading += lane == Lane.PRELOAD ? 1 : 0;
      callNext();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting to read from the store");
    } finally {
      lock.unlock();
    }
  }

  private void await(Lane lane) throws InterruptedException, InterruptedIOException {
    waiting[lane.ordinal()]++;
    try {
      while (!closed && !mayEnter(lane)) {
        turns[lane.ordinal()].await();
      }
    } finally {
      waiting[lane.ordinal()]--;
    }
    if (closed) {
      throw new InterruptedIOException("the loader was closed");
    }
  }

  private boolean mayEnter(Lane lane) {
    for (int i = 0; i < lane.ordinal(); i++) {
      if (waiting[i] > 0) {
        return false;
      }
    }
    return active < bounds.all() && (lane != Lane.PRELOAD || preloading < bounds.preload());
  }

  /** Wakes one who may enter; that one wakes the next, so that no room stays unused. */
  private void callNext() {
    for (Lane lane : Lane.values()) {
      if (waiting[lane.ordinal()] > 0) {
        if (mayEnter(lane)) {
          turns[lane.ordinal()].signal();
        }
        return;
      }
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
      for (Condition turn : turns) {
        turn.signalAll();
      }
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
