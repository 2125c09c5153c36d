package io.quiver.server.plan;

import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.space.SpaceId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All spaces a server shall have among those whose names begin with a prefix. It says what shall
 * be, not what to do: applying it again changes nothing, and one that was lost is made up for by
 * the next.
 *
 * @param version which plan; a server refuses one older than what it has, and 0 is never old
 * @param prefix what the names of all its spaces begin with; other names are not its business
 * @param keepOthers whether spaces of the prefix that are not listed stay as they are, rather than
 *     being dropped and refused
 * @param spaces the orders of these spaces; quotas are this server's own
 */
public record SpacePlan(long version, String prefix, boolean keepOthers, List<SpaceOrder> spaces) {
  /** Most spaces in one plan. */
  public static final int MAX_SPACES = ServerPlan.MAX_SPACES;

  /** Checks that the plan makes sense. */
  public SpacePlan {
    spaces = List.copyOf(spaces);
    if (version < 0) {
      throw new IllegalArgumentException("plan " + version + "; count plans from 1, or send 0");
    }
    SpaceId _ = new SpaceId(prefix);
    if (spaces.size() > MAX_SPACES) {
      throw new IllegalArgumentException(
          spaces.size() + " spaces in one plan; at most " + MAX_SPACES + " are taken");
    }
    Set<SpaceId> seen = new HashSet<>();
    for (SpaceOrder each : spaces) {
      if (!each.name().name().startsWith(prefix)) {
        throw new IllegalArgumentException(
            "space " + each.name() + " does not begin with the plan's prefix \"" + prefix + "\"");
      }
      if (!seen.add(each.name())) {
        throw new IllegalArgumentException("space " + each.name() + " is listed twice");
      }
    }
  }

  /** Returns the part of one server: its share of every quota of the cluster. */
  public static SpacePlan of(ServerPlan plan, String server) {
    double share = plan.share(server);
    List<SpaceOrder> spaces = plan.spaces().stream().map(each -> each.share(share)).toList();
    return new SpacePlan(plan.version(), plan.prefix(), false, spaces);
  }
}
