package io.quiver.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs the parts of one call side by side: one in the caller's thread, the rest in virtual ones.
 */
final class Parallel {
  private Parallel() {}

  /**
   * Runs all parts and returns when they have ended. Parts must be bounded in time; when the caller
   * is interrupted, so are they. What a part throws is thrown here, after all have ended.
   */
  static void run(List<? extends Runnable> parts) {
    if (parts.size() == 1) {
      parts.getFirst().run();
    } else if (!parts.isEmpty()) {
      runTogether(parts);
    }
  }

  private static void runTogether(List<? extends Runnable> parts) {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>(parts.size() - 1);
    for (Runnable part : parts.subList(1, parts.size())) {
      threads.add(Thread.ofVirtual().name("quiver-client-part").start(() -> runOne(part, thrown)));
    }
    runOne(parts.getFirst(), thrown);
    boolean interrupted = false;
    for (Thread thread : threads) {
      interrupted |= join(thread, threads);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (thrown.get() != null) {
      throw new IllegalStateException("a part of a call failed unexpectedly", thrown.get());
    }
  }

  private static void runOne(Runnable part, AtomicReference<@Nullable Throwable> thrown) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      thrown.compareAndSet(null, e);
    }
  }

  private static boolean join(Thread thread, List<Thread> all) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
        all.forEach(Thread::interrupt);
      }
    }
  }
}
