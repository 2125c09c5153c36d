package io.quiver.core.plan;

import io.quiver.core.bound.Bounds;
import io.quiver.core.placement.SlotTable;
import io.quiver.core.space.SpaceId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A door's part of the plan: the answer to its heartbeat.
 *
 * @param version which plan
 * @param members the cache servers
 * @param space the space for what the door reads; null when nothing of it is to be cached
 */
public record DoorPlan(long version, List<ClusterMember> members, @Nullable SpaceId space) {
  /** Keeps its own copy and refuses what cannot be. */
  public DoorPlan {
    Bounds.whole("version", version, 0, Bounds.MAX_COUNT);
    members = Bounds.list("members", members, SlotTable.MAX_MEMBERS);
  }
}
