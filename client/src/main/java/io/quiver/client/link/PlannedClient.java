package io.quiver.client.link;

import io.quiver.client.CacheClient;
import io.quiver.client.ServerAddress;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache client that follows the servers of plans. It is made with the first servers, and unused
 * while there are none. Safe for use by many threads.
 */
public final class PlannedClient implements AutoCloseable {
  private final Function<List<ServerAddress>, CacheClient> maker;
  private volatile @Nullable CacheClient client;
  private volatile int servers;
  // Guarded by this.
  private @Nullable CacheClient made;
  private boolean closed;

  /** Prepares a client; the maker is called once, with the first servers. */
  public PlannedClient(Function<List<ServerAddress>, CacheClient> maker) {
    this.maker = maker;
  }

  /**
   * Turns to these servers; none is allowed.
   *
   * @throws IllegalArgumentException if they cannot be used; nothing has changed then
   */
  public synchronized void turnTo(List<ServerAddress> addresses) {
    if (closed) {
      return;
    }
    if (addresses.isEmpty()) {
      servers = 0;
      client = null;
      return;
    }
    CacheClient known = made;
    if (known == null) {
      known = maker.apply(addresses);
      made = known;
    }
    known.changeServers(addresses);
    servers = addresses.size();
    client = known;
  }

  /** Returns the client of the servers there are; null while there are none. */
  public @Nullable CacheClient client() {
    return client;
  }

  /** Returns how many servers there are. */
  public int servers() {
    return servers;
  }

  /** Returns true once closed. */
  public synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    CacheClient last;
    synchronized (this) {
      closed = true;
      last = made;
      client = null;
    }
    if (last != null) {
      last.close();
    }
  }
}
