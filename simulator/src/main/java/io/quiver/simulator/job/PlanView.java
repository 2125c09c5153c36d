package io.quiver.simulator.job;

import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.Plan;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.simulator.cluster.SlotOwners;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The latest plan as a job uses it, worked out once. */
final class PlanView {
  private final Plan plan;
  private final JobPlan part;
  private final SlotOwners owners;
  private final @Nullable DatasetPlan held;
  private final Residency residency;
  private final boolean[] here;

  PlanView(Plan plan, JobPlan part, SlotOwners owners) {
    this.plan = plan;
    this.part = part;
    this.owners = owners;
    this.held = part.dataset();
    DatasetPlan about = part.dataset();
    this.residency = about == null ? Residency.NONE : about.residency();
    this.here = new boolean[about == null ? 0 : about.chunks()];
    if (about != null) {
      for (ChunkEntry each : about.held()) {
        here[each.chunk()] = true;
      }
    }
  }

  /** Returns the view of a job without a plan. */
  static PlanView none(SlotOwners owners) {
    return new PlanView(Plan.empty(0), new JobPlan(0, List.of(), null, RingRole.LEADER), owners);
  }

  /** Returns the view of a job that finds everything in one space, without a manager. */
  static PlanView shared(SlotOwners owners) {
    JobPlan part = new JobPlan(0, List.of(), null, RingRole.LEADER, Plan.SHARED_SPACE, null);
    return new PlanView(Plan.empty(0), part, owners);
  }

  /** Returns true if one space takes whatever the job misses. */
  boolean isShared() {
    return part.shared() != null;
  }

  Plan plan() {
    return plan;
  }

  /** Returns the job's part of the plan. */
  JobPlan part() {
    return part;
  }

  /** Returns the names of the servers. */
  List<String> servers() {
    return owners.names();
  }

  long version() {
    return plan.version();
  }

  SlotOwners owners() {
    return owners;
  }

  @Nullable DatasetPlan held() {
    return held;
  }

  /** Returns true if a chunk is on its way into the cache. */
  boolean loads(int chunk) {
    return residency.loading().contains(chunk);
  }

  /** Returns true if a chunk is in the cache or on its way. */
  boolean holds(int chunk) {
    return chunk < here.length && here[chunk];
  }
}
