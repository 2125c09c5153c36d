package io.quiver.http;

import java.time.Duration;
import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Looks at every connection at intervals and cuts those whose time is up. Slow heads, bodies and
 * readers all end here, and none of them needs a timer of its own.
 */
final class TimeoutWatch implements AutoCloseable {
  /** A connection that can be cut. */
  interface TimedConnection {
    RequestTimeouts timeouts();

    /** Returns where the connection comes from. */
    String caller();

    void cut();
  }

  private final Collection<? extends TimedConnection> connections;
  private final Predicate<String> pressure;
  private final LongSupplier nanoTime;
  private final Duration interval;
  private final Thread thread;

  TimeoutWatch(
      Collection<? extends TimedConnection> connections,
      Predicate<String> pressure,
      LongSupplier nanoTime,
      Duration interval) {
    this.connections = connections;
    this.pressure = pressure;
    this.nanoTime = nanoTime;
    this.interval = interval;
    this.thread = Thread.ofPlatform().daemon().name("quiver-timeoutWatch").start(this::run);
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
    long now = nanoTime.getAsLong();
    for (TimedConnection connection : connections) {
      if (isTimeUp(connection, now)) {
        connection.cut();
      }
    }
  }

  /** Asks for pressure only where it would make a difference, because most peers never stall. */
  private boolean isTimeUp(TimedConnection connection, long now) {
    RequestTimeouts timeouts = connection.timeouts();
    return timeouts.exhausted(now, false)
        || (timeouts.exhausted(now, true) && pressure.test(connection.caller()));
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
