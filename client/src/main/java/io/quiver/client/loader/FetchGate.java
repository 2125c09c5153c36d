package io.quiver.client.loader;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the reads from the store that are under way. What a batch waits for goes before what is
 * read for later; but when nothing is being brought in, every sixteenth read is, or a job that the
 * store holds up would never get anything into the cache.
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

  private static final int PRELOAD_EVERY = 16;

  private final StoreReads bounds;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Line> lines;
  private final Condition quiet = lock.newCondition();
  private int active;
  private int preloading;
  private int sincePreload;
  private boolean closed;

  /** Those who wait for one kind of read. */
  private static final class Line {
    private final Lane lane;
    private final Condition turn;
    private int waiting;

    Line(Lane lane, Condition turn) {
      this.lane = lane;
      this.turn = turn;
    }
  }

  FetchGate(StoreReads bounds) {
    this.bounds = bounds;
    this.lines = Stream.of(Lane.values()).map(lane -> new Line(lane, lock.newCondition())).toList();
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
      sincePreload = lane == Lane.PRELOAD ? 0 : sincePreload + 1;
      callNext();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting to read from the store");
    } finally {
      lock.unlock();
    }
  }

  private void await(Lane lane) throws InterruptedException, InterruptedIOException {
    Line line = lines.stream().filter(each -> each.lane == lane).findFirst().orElseThrow();
    line.waiting++;
    try {
      while (!closed && !mayEnter(lane)) {
        line.turn.await();
      }
    } finally {
      line.waiting--;
    }
    if (closed) {
      throw new InterruptedIOException("the loader was closed");
    }
  }

  private boolean mayEnter(Lane lane) {
    return active < bounds.all() && isTurnOf(lane) && (lane != Lane.PRELOAD || mayPreload());
  }

  private boolean isTurnOf(Lane lane) {
    Line next = next();
    return next != null && next.lane == lane;
  }

  private boolean mayPreload() {
    return preloading < bounds.preload();
  }

  /** Whose turn it is: the most urgent who wait, unless a preload has waited for long enough. */
  private @Nullable Line next() {
    Line preload = lines.getLast();
    boolean starved = preloading == 0 && sincePreload >= PRELOAD_EVERY - 1;
    if (preload.waiting > 0 && starved && mayPreload()) {
      return preload;
    }
    for (Line line : lines) {
      if (line.waiting > 0) {
        return line;
      }
    }
    return null;
  }

  /** Wakes one who may enter; that one wakes the next, so that no room stays unused. */
  private void callNext() {
    Line next = next();
    if (next != null && mayEnter(next.lane)) {
      next.turn.signal();
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
      lines.forEach(line -> line.turn.signalAll());
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
