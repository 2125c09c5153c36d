package io.quiver.server.plan;

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
 * @param spaces the spaces that shall be
 */
public record SpacePlan(
    long version, String prefix, boolean keepOthers, List<PlannedSpace> spaces) {
  /** Most spaces in one plan. */
  public static final int MAX_SPACES = 16_384;

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
    for (PlannedSpace each : spaces) {
      if (!each.space().name().startsWith(prefix)) {
        throw new IllegalArgumentException(
            "space " + each.space() + " does not begin with the plan's prefix \"" + prefix + "\"");
      }
      if (!seen.add(each.space())) {
        throw new IllegalArgumentException("space " + each.space() + " is listed twice");
      }
    }
  }

  /** A server's part of the cluster's plan: its spaces and no others, without bounds. */
  public static SpacePlan of(ServerPlan plan) {
    List<PlannedSpace> spaces =
        plan.spaces().stream().map(SpaceId::new).map(PlannedSpace::unbounded).toList();
    return new SpacePlan(plan.version(), plan.prefix(), false, spaces);
  }
}
