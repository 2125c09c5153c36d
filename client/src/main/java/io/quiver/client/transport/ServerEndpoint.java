package io.quiver.client.transport;

import java.net.InetSocketAddress;
import java.net.URI;

/**
 * The address at which a server listens.
 *
 * @param uri as the user wrote it
 * @param host without the brackets of an IPv6 address
 * @param port the one given, or the scheme's own
 * @param encrypted true for TLS
 */
public record ServerEndpoint(URI uri, String host, int port, boolean encrypted) {
  /** Returns the endpoint of an {@code http} or {@code https} URI. */
  public static ServerEndpoint of(URI uri) {
    boolean encrypted = "https".equals(uri.getScheme());
    String host = uri.getHost();
    if (host.startsWith("[")) {
      host = host.substring(1, host.length() - 1);
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : encrypted ? 443 : 80;
    return new ServerEndpoint(uri, host, port, encrypted);
  }

  /** Returns the name by which placement knows the server. */
  public String id() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** Resolves the address now. */
  InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }
}
