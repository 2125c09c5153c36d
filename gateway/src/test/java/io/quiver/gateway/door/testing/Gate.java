package io.quiver.gateway.door.testing;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Stops whoever passes until a test opens it. */
public final class Gate {
  private static final long LONGEST_SECONDS = 40;

  private final CountDownLatch open = new CountDownLatch(1);
  private final CountDownLatch reached = new CountDownLatch(1);

  /** Waits until the gate is open. */
  public void pass() throws IOException {
    reached.countDown();
    await(open, "the gate was opened");
  }

  /** Waits until somebody stands before the gate. */
  public void awaitVisitor() throws IOException {
    await(reached, "somebody came to the gate");
  }

  /** Opens the gate for good. */
  public void open() {
    open.countDown();
  }

  private static void await(CountDownLatch latch, String what) throws IOException {
    try {
      if (!latch.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("waited " + LONGEST_SECONDS + " s in vain until " + what);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped = new InterruptedIOException("interrupted before " + what);
      stopped.initCause(e);
      throw stopped;
    }
  }
}
