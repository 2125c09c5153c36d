package io.quiver.core.plan;

import io.quiver.core.keep.SpaceOrder;
import java.util.List;

/**
 * The servers' part of the plan: the spaces they shall have. Of the spaces whose names begin with
 * the prefix, those not ordered go; others are none of the plan's business.
 *
 * @param version which plan
 * @param prefix beginning of the names of all planned spaces
 * @param members the cache servers; each takes its weight's share of a quota
 * @param spaces the order of every planned space
 */
public record ServerPlan(
    long version, String prefix, List<ClusterMember> members, List<SpaceOrder> spaces) {
  /** Keeps its own copies. */
  public ServerPlan {
    members = List.copyOf(members);
    spaces = List.copyOf(spaces);
  }

  /**
   * Returns a server's share of every quota. A server that the plan does not name yet has the whole
   * quota: the next plan will name it, and evicting meanwhile would only lose what it has.
   */
  public double share(String server) {
    double all = members.stream().mapToDouble(ClusterMember::weight).sum();
    return members.stream()
        .filter(member -> member.name().equals(server))
        .mapToDouble(member -> member.weight() / all)
        .findFirst()
        .orElse(1);
  }
}
