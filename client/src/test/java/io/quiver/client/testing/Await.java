package io.quiver.client.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what must happen soon. */
public final class Await {
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private Await() {}

  /** Returns as soon as the condition holds; fails after a while. */
  public static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited " + LONGEST + " in vain until " + what);
      }
      LockSupport.parkNanos(200_000);
    }
  }
}
