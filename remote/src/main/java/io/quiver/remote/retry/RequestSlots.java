package io.quiver.remote.retry;

import io.quiver.core.text.PlainDuration;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Bounds the concurrent requests of one store. */
final class RequestSlots {
  private final Semaphore free;
  private final int count;
  private final Duration longestWait;

  RequestSlots(int count, Duration longestWait) {
    this.free = new Semaphore(count, true);
    this.count = count;
    this.longestWait = longestWait;
  }

  void take() throws IOException {
    try {
      if (free.tryAcquire(longestWait.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped =
          new InterruptedIOException("interrupted while waiting for a free connection");
      stopped.initCause(interrupted);
      throw stopped;
    }
    throw new IOException(
        "all "
            + count
            + " connections of this store were in use for "
            + PlainDuration.of(longestWait)
            + "; close streams that are no longer read, or allow more connections");
  }

  void giveBack() {
    free.release();
  }

  int taken() {
    return count - free.availablePermits();
  }
}
