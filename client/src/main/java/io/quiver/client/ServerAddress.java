package io.quiver.client;

import io.quiver.client.transport.ServerEndpoint;
import io.quiver.core.placement.Member;
import io.quiver.core.plan.ClusterMember;
import java.net.URI;
import java.util.List;

/**
 * The address of a cache server and its member in the placement.
 *
 * @param member its name and weight, which decide with the others' what it owns
 * @param uri {@code http://host:port} or {@code https://host:port}
 */
public record ServerAddress(Member member, URI uri) {
  /** Returns a server named by its own host and port, of weight 1. */
  public static ServerAddress of(URI uri) {
    return new ServerAddress(Member.of(ServerEndpoint.of(uri).id()), uri);
  }

  /** Returns the servers of a plan. */
  public static List<ServerAddress> ofPlan(List<ClusterMember> members) {
    return members.stream()
        .map(each -> new ServerAddress(each.placed(), URI.create(each.uri())))
        .toList();
  }
}
