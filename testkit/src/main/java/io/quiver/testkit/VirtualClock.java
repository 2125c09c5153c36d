package io.quiver.testkit;

import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that passes only while every one of a fixed number of threads waits: it then jumps to the
 * earliest end of a wait. Runs of hours take moments, and do not depend on the machine's load.
 */
public final class VirtualClock {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final long[] wakeAt;
  private int working;
  private long now;

  /** Starts at zero, with this many threads at work. */
  public VirtualClock(int threads) {
    this.working = threads;
    this.wakeAt = new long[threads];
    Arrays.fill(wakeAt, Long.MAX_VALUE);
  }

  /** Returns the time. */
  public long nanoTime() {
    lock.lock();
    try {
      return now;
    } finally {
      lock.unlock();
    }
  }

  /** Waits as the thread of this number. */
  public void pause(int thread, long nanos) throws InterruptedException {
    lock.lock();
    try {
      wakeAt[thread] = now + nanos;
      working--;
      advance();
      while (now < wakeAt[thread]) {
        changed.await();
      }
      wakeAt[thread] = Long.MAX_VALUE;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a thread's part: the others no longer wait for it. */
  public void leave() {
    lock.lock();
    try {
      working--;
      advance();
    } finally {
      lock.unlock();
    }
  }

  /** Wakes exactly one waiting thread when nobody works, so that runs are repeatable. */
  private void advance() {
    if (working > 0) {
      return;
    }
    int next = 0;
    for (int i = 1; i < wakeAt.length; i++) {
      next = wakeAt[i] < wakeAt[next] ? i : next;
    }
    if (wakeAt[next] != Long.MAX_VALUE) {
      now = Math.max(now, wakeAt[next]);
      wakeAt[next] = now;
      working++;
      changed.signalAll();
    }
  }
}
