package io.quiver.core.plan;

import io.quiver.core.bound.Bounds;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.placement.SlotTable;
import java.util.List;
import java.util.regex.Pattern;

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
  /** Most spaces of one plan. */
  public static final int MAX_SPACES = 1 << 15;

  private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

  /** Keeps its own copies and refuses what cannot be. */
  public ServerPlan {
    Bounds.whole("version", version, 0, Bounds.MAX_COUNT);
    Bounds.matching("prefix", prefix, PREFIX, "the beginning of a space's name");
    members = Bounds.list("members", members, SlotTable.MAX_MEMBERS);
    spaces = Bounds.list("spaces", spaces, MAX_SPACES);
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

  /** Returns the table by which slots are divided among these members; there is at least one. */
  public static SlotTable slots(List<ClusterMember> members) {
    return SlotTable.of(members.stream().map(ClusterMember::placed).toList());
  }
}
