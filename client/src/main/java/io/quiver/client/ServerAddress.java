package io.quiver.client;

import io.quiver.client.transport.Endpoint;
import io.quiver.core.placement.Member;
import java.net.URI;

/**
 * A cache server as placement knows it and where it listens.
 *
 * @param member its name and weight, which decide with the others' what it owns
 * @param uri {@code http://host:port} or {@code https://host:port}
 */
public record ServerAddress(Member member, URI uri) {
  /** A server named by its own host and port, of weight 1. */
  public static ServerAddress of(URI uri) {
    return new ServerAddress(Member.of(Endpoint.of(uri).id()), uri);
  }
}
