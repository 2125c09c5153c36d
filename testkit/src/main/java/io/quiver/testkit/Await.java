package io.quiver.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what must happen soon. */
public final class Await {
  private static final Duration LONGEST = Duration.ofSeconds(40);
  private static final long PAUSE_NANOS = 500_000;

  private Await() {}

  /** A question that may fail to be answered. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    /** Returns true once it holds. */
    boolean holds() throws E;
  }

  /** Returns as soon as the condition holds; fails after 40 seconds. */
  public static <E extends Exception> void until(String what, Condition<E> condition) throws E {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited " + LONGEST.toSeconds() + " s in vain until " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
