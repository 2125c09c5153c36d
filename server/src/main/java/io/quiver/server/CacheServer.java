package io.quiver.server;

import io.quiver.store.BlobStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;

/**
 * A cache server: HTTP/1.1 over a blob store, one virtual thread for each connection.
 *
 * <p>The server does not own the store; whoever opened the store closes it after the server.
 */
public final class CacheServer implements AutoCloseable {
  private final ServerConfig config;
  private final ServerSocketChannel listener;
  private final InetSocketAddress address;

  private CacheServer(
      ServerConfig config, ServerSocketChannel listener, InetSocketAddress address) {
    this.config = config;
    this.listener = listener;
    this.address = address;
  }

  /** Binds the port and serves the store until closed. */
  public static CacheServer start(ServerConfig config, BlobStore store) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(config.host(), config.port()));
    return new CacheServer(config, listener, (InetSocketAddress) listener.getLocalAddress());
  }

  /** Where it listens, with the port the system chose. */
  public InetSocketAddress address() {
    return address;
  }

  /** Where clients find it: {@code http://host:port} or {@code https://host:port}. */
  public URI uri() {
    String host = config.host().contains(":") ? "[" + config.host() + "]" : config.host();
    return URI.create(
        (config.tls().isPresent() ? "https" : "http") + "://" + host + ":" + address.getPort());
  }

  /**
   * Stops listening, lets no request linger and waits, within bounds, for the connections to end.
   */
  @Override
  public void close() throws IOException {
    listener.close();
  }
}
