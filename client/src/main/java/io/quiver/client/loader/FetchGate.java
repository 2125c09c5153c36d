package io.quiver.client.loader;

import io.quiver.core.engine.FetchLanes;
import io.quiver.core.engine.FetchLanes.Lane;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets threads read from the store one after the other, in the order that lanes decide. */
public final class FetchGate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Lane, Condition> turns = new EnumMap<>(Lane.class);
  private final Condition quiet = lock.newCondition();
  // Both guarded by the lock.
  private final FetchLanes lanes;
  private boolean closed;

  /** Makes a gate that lets at most so many in. */
  public FetchGate(StoreReads bounds) {
    this.lanes = new FetchLanes(bounds.all(), bounds.preload());
    for (Lane lane : Lane.values()) {
      turns.put(lane, lock.newCondition());
    }
  }

  private Condition turn(Lane lane) {
    return Objects.requireNonNull(turns.get(lane));
  }

  /**
   * Waits for a turn: as long as those before it take, whose reads have deadlines.
   *
   * @throws InterruptedIOException if there will be none
   */
  public void enter(Lane lane) throws InterruptedIOException {
    lock.lock();
    try {
      await(lane);
      lanes.enter(lane);
      callNext();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting to read from the store");
    } finally {
      lock.unlock();
    }
  }

  private void await(Lane lane) throws InterruptedException, InterruptedIOException {
    lanes.arrive(lane);
    try {
      while (!closed && lanes.next() != lane) {
        turn(lane).await();
      }
    } finally {
      lanes.depart(lane);
    }
    if (closed) {
      throw new InterruptedIOException("reading from the store has ended: it was closed");
    }
  }

  /** Wakes one who may enter; that one wakes the next, so that no turn stays unused. */
  private void callNext() {
    Lane next = lanes.next();
    if (next != null) {
      turn(next).signal();
    }
  }

  /** Ends a turn. */
  public void leave(Lane lane) {
    lock.lock();
    try {
      lanes.leave(lane);
      callNext();
      if (lanes.active() == 0) {
        quiet.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns true if batches wait for the store. */
  public boolean demandWaits() {
    lock.lock();
    try {
      return lanes.waiting(Lane.DEMAND) > 0;
    } finally {
      lock.unlock();
    }
  }

  /** Lets nobody in any more and waits until all are out; returns true if they are. */
  public boolean close(Duration longest) {
    lock.lock();
    try {
      closed = true;
      turns.values().forEach(Condition::signalAll);
      long left = longest.toNanos();
      while (lanes.active() > 0 && left > 0) {
        left = quiet.awaitNanos(left);
      }
      return lanes.active() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }
}
