package io.quiver.server.http;

import java.time.Duration;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * One thread that looks at every connection now and then and cuts those whose {@link Patience} is
 * exhausted: slow heads, bodies and readers all end here, and none of them costs the others a
 * timer.
 */
final class Reaper implements AutoCloseable {
  /** Something that can run out of patience. */
  interface Mortal {
    Patience patience();

    void cut();
  }

  private final Collection<? extends Mortal> mortals;
  private final BooleanSupplier pressure;
  private final LongSupplier nanoTime;
  private final Duration interval;
  private final Thread thread;

  Reaper(
      Collection<? extends Mortal> mortals,
      BooleanSupplier pressure,
      LongSupplier nanoTime,
      Duration interval) {
    this.mortals = mortals;
    this.pressure = pressure;
    this.nanoTime = nanoTime;
    this.interval = interval;
    this.thread = Thread.ofPlatform().daemon().name("quiver-reaper").start(this::run);
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(interval);
        sweep();
      }
    } catch (InterruptedException e) {
      // The server is closing; nothing is left to watch.
      return;
    }
  }

  private void sweep() {
    boolean pressed = pressure.getAsBoolean();
    long now = nanoTime.getAsLong();
    for (Mortal mortal : mortals) {
      if (mortal.patience().exhausted(now, pressed)) {
        mortal.cut();
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
