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
  private static final int WEIGHT_UNIT = 1024;

  /** Returns a server named by its own host and port, of weight 1. */
  public static ServerAddress of(URI uri) {
    return new ServerAddress(Member.of(ServerEndpoint.of(uri).id()), uri);
  }

  /**
   * Returns the servers of a plan. Placement counts in whole numbers; equal weights are all 1,
   * whatever they are.
   */
  public static List<ServerAddress> ofPlan(List<ClusterMember> members) {
    boolean equal = members.stream().mapToDouble(ClusterMember::weight).distinct().count() == 1;
    return members.stream()
        .map(each -> new ServerAddress(placed(each, equal), URI.create(each.uri())))
        .toList();
  }

  private static Member placed(ClusterMember member, boolean equal) {
    long weight = equal ? 1 : Math.round(member.weight() * WEIGHT_UNIT);
    return new Member(member.name(), Math.clamp(weight, 1, Member.MAX_WEIGHT));
  }
}
