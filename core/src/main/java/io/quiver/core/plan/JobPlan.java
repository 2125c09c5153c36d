package io.quiver.core.plan;

import io.quiver.core.bound.Bounds;
import io.quiver.core.order.RingRole;
import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.probe.Probe;
import io.quiver.core.plan.report.ScoreBoard;
import io.quiver.core.space.SpaceId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job's part of the plan: the answer to its heartbeat.
 *
 * @param version which plan
 * @param members the cache servers
 * @param dataset what is held of its data set; null when nothing is to be cached of it
 * @param ringRole how it treats the rotating chunks
 * @param shared the space that takes whatever the job misses; null where the plan says chunk by
 *     chunk what is held. Without this and without a data set, nothing is cached
 * @param probe what it is to try out; null for nothing
 * @param scores the scores that others share with it; null for a job that shares none
 */
public record JobPlan(
    long version,
    List<ClusterMember> members,
    @Nullable DatasetPlan dataset,
    RingRole ringRole,
    @Nullable SpaceId shared,
    @Nullable Probe probe,
    @Nullable ScoreBoard scores) {
  /** Keeps its own copy and refuses what cannot be. */
  public JobPlan {
    Bounds.whole("version", version, 0, Bounds.MAX_COUNT);
    members = Bounds.list("members", members, SlotTable.MAX_MEMBERS);
    Bounds.present("ring_role", ringRole);
  }

  /** Makes the part of a job that has nothing to try out and no shared space. */
  public JobPlan(
      long version, List<ClusterMember> members, @Nullable DatasetPlan dataset, RingRole ringRole) {
    this(version, members, dataset, ringRole, null, null);
  }

  /** Makes the part of a job that shares no scores. */
  public JobPlan(
      long version,
      List<ClusterMember> members,
      @Nullable DatasetPlan dataset,
      RingRole ringRole,
      @Nullable SpaceId shared,
      @Nullable Probe probe) {
    this(version, members, dataset, ringRole, shared, probe, null);
  }

  /** Returns a copy with the scores that others share. */
  public JobPlan with(ScoreBoard board) {
    return new JobPlan(version, members, dataset, ringRole, shared, probe, board);
  }
}
