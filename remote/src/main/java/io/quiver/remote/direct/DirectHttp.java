package io.quiver.remote.direct;

import io.quiver.remote.RemoteConfig.Timeouts;
import io.quiver.remote.direct.DirectConnection.StaleConnectionException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to one server over connections that it keeps; the one used last is used next.
 * There are as many connections as requests under way.
 */
public final class DirectHttp implements AutoCloseable {
  /** Services close connections that were idle for longer; a request would find them dead. */
  private static final Duration LONGEST_IDLE = Duration.ofSeconds(10);

  private final Origin origin;
  private final Timeouts timeouts;
  private final @Nullable SSLSocketFactory secured;
  // Both guarded by this.
  private final ArrayDeque<DirectConnection> idle = new ArrayDeque<>();
  private final Set<DirectConnection> all = new HashSet<>();
  private boolean closed;

  /**
   * Makes a client that has no connection yet.
   *
   * @param secured makes the sockets of an encrypted origin
   */
  public DirectHttp(Origin origin, Timeouts timeouts, SSLSocketFactory secured) {
    this.origin = origin;
    this.timeouts = timeouts;
    this.secured = origin.encrypted() ? secured : null;
  }

  /**
   * Sends a request that may be sent twice, and returns its answer once the head is there. Where
   * the server has closed a kept connection meanwhile, another one is opened.
   *
   * @param request the head of a request without a body, with the empty line at its end
   */
  public DirectAnswer send(byte[] request) throws IOException {
    DirectConnection kept = pollIdle();
    if (kept != null) {
      try {
        return exchange(kept, request, true);
      } catch (StaleConnectionException stale) {
        closeIdle(); // They are likely dead, too.
      }
    }
    DirectConnection fresh = open();
    try {
      return exchange(fresh, request, false);
    } catch (StaleConnectionException impossible) {
      throw new IOException(impossible.getCause());
    }
  }

  private DirectAnswer exchange(DirectConnection connection, byte[] request, boolean used)
      throws IOException, StaleConnectionException {
    boolean answered = false;
    try {
      DirectAnswer answer = new DirectAnswer(connection.exchange(request, used), connection, this);
      answered = true;
      return answer;
    } finally {
      if (!answered) {
        discard(connection);
      }
    }
  }

  private DirectConnection open() throws IOException {
    DirectConnection connection = new DirectConnection(timeouts);
    synchronized (this) {
      requireOpen();
      all.add(connection);
    }
    boolean connected = false;
    try {
      connection.connect(origin, secured);
      connected = true;
      return connection;
    } finally {
      if (!connected) {
        discard(connection);
      }
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the client was closed");
    }
  }

  private @Nullable DirectConnection pollIdle() {
    List<DirectConnection> old = new ArrayList<>();
    DirectConnection kept;
    synchronized (this) {
      long now = System.nanoTime();
      while (!idle.isEmpty() && idle.peekLast().idleNanos(now) > LONGEST_IDLE.toNanos()) {
        old.add(idle.removeLast());
      }
      kept = idle.pollFirst();
    }
    old.forEach(this::discard);
    return kept;
  }

  private void closeIdle() {
    List<DirectConnection> old;
    synchronized (this) {
      old = List.copyOf(idle);
      idle.clear();
    }
    old.forEach(this::discard);
  }

  /** Keeps a connection for the next request. */
  void giveBack(DirectConnection connection) {
    connection.idleSince(System.nanoTime());
    synchronized (this) {
      if (!closed) {
        idle.addFirst(connection);
      }
    }
  }

  /** Closes a connection that cannot be used again. */
  void discard(DirectConnection connection) {
    connection.cut();
    synchronized (this) {
      all.remove(connection);
    }
  }

  /** Cuts every connection, even those in use. */
  @Override
  public void close() {
    List<DirectConnection> open;
    synchronized (this) {
      closed = true;
      idle.clear();
      open = List.copyOf(all);
    }
    open.forEach(this::discard);
  }
}
