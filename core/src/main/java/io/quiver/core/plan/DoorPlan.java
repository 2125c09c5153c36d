package io.quiver.core.plan;

import io.quiver.core.bound.Bounds;
import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.stream.StreamTenants;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.StreamVerdict;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A door's part of the plan: the answer to its heartbeat.
 *
 * @param version which plan
 * @param members the cache servers
 * @param space the space for blocks of no stream; null when none of them is to be cached
 * @param streams the streams that own a quota or are not to be cached; older managers name none
 * @param datasets what is held of the data sets whose items doors read: blocks that are items go
 *     into the spaces of their chunks; older managers name none
 */
public record DoorPlan(
    long version,
    List<ClusterMember> members,
    @Nullable SpaceId space,
    List<StreamVerdict> streams,
    List<DatasetPlan> datasets) {
  /** Keeps its own copy and refuses what cannot be. */
  public DoorPlan {
    Bounds.whole("version", version, 0, Bounds.MAX_COUNT);
    members = Bounds.list("members", members, SlotTable.MAX_MEMBERS);
    streams = verdicts(streams);
    datasets =
        Bounds.list(
            "datasets", Objects.requireNonNullElse(datasets, List.of()), StreamTenants.MOST);
  }

  private static List<StreamVerdict> verdicts(@Nullable List<StreamVerdict> told) {
    return Bounds.list(
        "streams", Objects.requireNonNullElse(told, List.of()), 2 * StreamTenants.MOST);
  }
}
