package io.quiver.remote.retry;

import io.quiver.core.text.PlainDuration;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Bounds the requests one store has under way. */
final class Slots {
  private final Semaphore free;
  private final int count;
  private final Duration patience;

  Slots(int count, Duration patience) {
    this.free = new Semaphore(count, true);
    this.count = count;
    this.patience = patience;
  }

  void take() throws IOException {
    try {
      if (free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
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
            + PlainDuration.of(patience)
            + "; close streams that are no longer read, or allow more connections");
  }

  void giveBack() {
    free.release();
  }

  int taken() {
    return count - free.availablePermits();
  }
}
