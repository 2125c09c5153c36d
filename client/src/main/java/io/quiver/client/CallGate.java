package io.quiver.client;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts calls under way, so that closing can refuse new ones and wait for the rest. */
final class CallGate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition empty = lock.newCondition();
  private int inside;
  private boolean closed;

  /**
   * Enters a call.
   *
   * @throws IllegalStateException after {@link #shut}
   */
  void enter() {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the client is closed");
      }
      inside++;
    } finally {
      lock.unlock();
    }
  }

  void leave() {
    lock.lock();
    try {
      if (--inside == 0) {
        empty.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses all further calls.
   *
   * @return whether this was the first time
   */
  boolean shut() {
    lock.lock();
    try {
      boolean first = !closed;
      closed = true;
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all calls have left; returns false if the time ran out. */
  boolean awaitEmpty(Duration longest) {
    boolean interrupted = false;
    long left = longest.toNanos();
    lock.lock();
    try {
      while (inside > 0 && left > 0) {
        try {
          left = empty.awaitNanos(left);
        } catch (InterruptedException e) {
          interrupted = true;
          break;
        }
      }
      return inside == 0;
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
