package io.quiver.client.transport;

import static java.util.Objects.requireNonNull;

import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.client.transport.ServerLink.LinkConfig;
import io.quiver.core.text.PlainDuration;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Keeps a bounded number of connections to one server; the one used last is used next. */
final class ConnectionPool {
  private final ServerEndpoint endpoint;
  private final LinkConfig config;
  private final @Nullable SSLSocketFactory secured;
  private final LongSupplier nanoTime;
  private final Traffic traffic;
  private final Semaphore permits;
  // Both guarded by this.
  private final ArrayDeque<HttpConnection> idle = new ArrayDeque<>();
  private final Set<HttpConnection> all = new HashSet<>();
  private boolean closed;

  ConnectionPool(
      ServerEndpoint endpoint,
      LinkConfig config,
      @Nullable SSLSocketFactory secured,
      LongSupplier nanoTime,
      Traffic traffic) {
    this.endpoint = endpoint;
    this.config = config;
    this.secured = secured;
    this.nanoTime = nanoTime;
    this.traffic = traffic;
    this.permits = new Semaphore(config.connections());
  }

  /** Takes a connection, which must be returned or discarded. */
  HttpConnection take(long deadline) throws ExchangeException {
    acquirePermit(deadline);
    HttpConnection connection = pollIdle();
    return connection != null ? connection : connectOrRelease(deadline);
  }

  /** Opens a new connection and closes the idle ones, since they are likely dead too. */
  HttpConnection takeFresh(long deadline) throws ExchangeException {
    acquirePermit(deadline);
    closeIdle(Long.MIN_VALUE);
    return connectOrRelease(deadline);
  }

  private void acquirePermit(long deadline) throws ExchangeException {
    try {
      long wait = Math.max(0, deadline - nanoTime.getAsLong());
      if (!permits.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
        throw new ExchangeException(
            FailureKind.TIMEOUT,
            "all " + config.connections() + " connections were busy until the time was over",
            (Throwable) null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExchangeException(
          FailureKind.INTERRUPTED, "interrupted, waiting for a connection", e);
    }
  }

  private synchronized @Nullable HttpConnection pollIdle() {
    return idle.pollFirst();
  }

  private HttpConnection connectOrRelease(long deadline) throws ExchangeException {
    boolean connected = false;
    try {
      HttpConnection connection = connect(deadline);
      connected = true;
      return connection;
    } finally {
      if (!connected) {
        permits.release();
      }
    }
  }

  private HttpConnection connect(long deadline) throws ExchangeException {
    HttpConnection connection = open();
    long latest = nanoTime.getAsLong() + config.connectTimeout().toNanos();
    connection.begin(latest - deadline < 0 ? latest : deadline);
    try {
      connection.connect();
      if (connection.end()) {
        traffic.connected();
        return connection;
      }
      forget(connection);
      throw failure(new IOException("connected too late"), true);
    } catch (IOException e) {
      boolean late = connection.expired();
      forget(connection);
      throw failure(e, late);
    }
  }

  private ExchangeException failure(IOException e, boolean late) {
    if (isClosed()) {
      return new ExchangeException(FailureKind.CLOSED, "the client was closed", e);
    }
    if (Thread.currentThread().isInterrupted()) {
      return new ExchangeException(FailureKind.INTERRUPTED, "interrupted while connecting", e);
    }
    return late
        ? new ExchangeException(
            FailureKind.TIMEOUT, "no connection in " + PlainDuration.of(config.connectTimeout()), e)
        : new ExchangeException(FailureKind.UNREACHABLE, "no connection: " + e.getMessage(), e);
  }

  private HttpConnection open() throws ExchangeException {
    HttpConnection connection;
    try {
      connection =
          new HttpConnection(
              endpoint.encrypted()
                  ? new TlsPipe(endpoint, requireNonNull(secured))
                  : new PlainPipe(endpoint));
    } catch (IOException e) {
      throw failure(e, false);
    }
    synchronized (this) {
      if (!closed) {
        all.add(connection);
        return connection;
      }
    }
    connection.cut();
    throw failure(new IOException("the pool is closed"), false);
  }

  /** Keeps a connection for the next exchange. */
  void giveBack(HttpConnection connection) {
    connection.idleSince(nanoTime.getAsLong());
    synchronized (this) {
      if (!closed) {
        idle.addFirst(connection);
      }
    }
    permits.release();
  }

  /** Closes a connection that cannot be used again. */
  void discard(HttpConnection connection) {
    forget(connection);
    permits.release();
  }

  private void forget(HttpConnection connection) {
    connection.cut();
    synchronized (this) {
      all.remove(connection);
    }
  }

  /** Cuts late exchanges and closes connections that have been idle for long. */
  void closeExpired(long now) {
    snapshot().forEach(connection -> connection.cutIfLate(now));
    closeIdle(now);
  }

  /** Closes connections that have been idle too long at this time; all of them at MIN_VALUE. */
  private void closeIdle(long now) {
    List<HttpConnection> stale = new ArrayList<>();
    long most = config.idleTimeout().toNanos();
    synchronized (this) {
      while (!idle.isEmpty() && (now == Long.MIN_VALUE || idle.peekLast().idleNanos(now) > most)) {
        stale.add(idle.removeLast());
      }
    }
    stale.forEach(this::forget);
  }

  private synchronized List<HttpConnection> snapshot() {
    return List.copyOf(all);
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Cuts every connection, even those in use. */
  void close() {
    synchronized (this) {
      closed = true;
      idle.clear();
    }
    snapshot().forEach(this::forget);
  }
}
