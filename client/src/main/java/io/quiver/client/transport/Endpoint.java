package io.quiver.client.transport;

import java.net.InetSocketAddress;
import java.net.URI;

/**
 * Where a server listens.
 *
 * @param uri as the user wrote it
 * @param host without the brackets of an IPv6 address
 * @param port the one given, or the scheme's own
 * @param encrypted whether to speak TLS
 */
public record Endpoint(URI uri, String host, int port, boolean encrypted) {
  /** The endpoint of an {@code http} or {@code https} URI. */
  public static Endpoint of(URI uri) {
    boolean encrypted = "https".equals(uri.getScheme());
    String host = uri.getHost();
    if (host.startsWith("[")) {
      host = host.substring(1, host.length() - 1);
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : encrypted ? 443 : 80;
    return new Endpoint(uri, host, port, encrypted);
  }

  /** The name by which placement knows the server. */
  public String id() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** The address, looked up now. */
  InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }
}
