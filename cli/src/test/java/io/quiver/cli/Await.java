package io.quiver.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what must happen soon. */
public final class Await {
  private static final Duration LONGEST = Duration.ofSeconds(40);
  private static final long PAUSE_NANOS = 2_000_000;

  private Await() {}

  /** Returns as soon as the condition holds; fails after a while. */
  public static void until(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited " + LONGEST + " in vain until " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
