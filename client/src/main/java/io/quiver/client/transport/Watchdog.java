package io.quiver.client.transport;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs a check again and again. Deadlines are enforced by cutting connections from outside: a
 * blocking read straight into direct memory has no timeout of its own, and a timer for every
 * request would cost more than looking around now and then.
 */
public final class Watchdog implements AutoCloseable {
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(5);

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  /** Starts calling, with this pause in between. */
  public Watchdog(Duration pause, Runnable check) {
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("quiver-client-watchdog")
            .start(() -> check(pause, check));
  }

  private void check(Duration pause, Runnable check) {
    try {
      while (!stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        check.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stopped.countDown();
    boolean interrupted = Thread.interrupted();
    try {
      thread.join(LONGEST_GOODBYE);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
