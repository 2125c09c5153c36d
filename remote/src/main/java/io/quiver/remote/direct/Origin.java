package io.quiver.remote.direct;

/** The server that requests go to. */
public record Origin(String host, int port, boolean encrypted) {
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  /** Returns the value of the {@code Host} header: without the port where it is the usual one. */
  public String hostHeader() {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return port == (encrypted ? HTTPS : HTTP) ? name : name + ":" + port;
  }
}
