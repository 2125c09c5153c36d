package io.quiver.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets a command that is interrupted by Ctrl-C or SIGTERM end in good order: its thread is
 * interrupted, cleans up within bounds, and has a last word. The process then ends with the
 * signal's own status, 130 or 143.
 */
final class Interruptible implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Thread worker = Thread.currentThread();
  private final CountDownLatch done = new CountDownLatch(1);
  private final Runnable lastWord;
  private final Thread hook = new Thread(this::interrupt, "interrupt");

  private Interruptible(Runnable lastWord) {
    this.lastWord = lastWord;
  }

  /** From now on until closed, this thread can be interrupted. */
  static Interruptible saying(Runnable lastWord) {
    Interruptible interruptible = new Interruptible(lastWord);
    Runtime.getRuntime().addShutdownHook(interruptible.hook);
    return interruptible;
  }

  private void interrupt() {
    worker.interrupt();
    try {
      if (!done.await(GRACE.toNanos(), TimeUnit.NANOSECONDS)) {
        Thread.currentThread().interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    lastWord.run();
  }

  /** The work has ended; if because of an interruption, the process ends here. */
  @Override
  public void close() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      awaitTheEnd();
    }
  }

  /** Whatever this thread would say now has been said by the last word. */
  private static void awaitTheEnd() {
    long end = System.nanoTime() + 2 * GRACE.toNanos();
    for (long left = 2 * GRACE.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      Thread.interrupted();
    }
  }
}
