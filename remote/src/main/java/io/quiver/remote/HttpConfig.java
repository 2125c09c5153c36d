package io.quiver.remote;

import java.util.Map;

/**
 * Settings for plain HTTP requests.
 *
 * @param headers sent with every request to the host the list was read from, and to no other host:
 *     they often hold a token
 */
public record HttpConfig(Map<String, String> headers) {
  /** No extra headers. */
  public static final HttpConfig DEFAULT = new HttpConfig(Map.of());

  public HttpConfig {
    headers = Map.copyOf(headers);
  }

  @Override
  public String toString() {
    return "HttpConfig[headers=" + headers.keySet() + "]";
  }
}
