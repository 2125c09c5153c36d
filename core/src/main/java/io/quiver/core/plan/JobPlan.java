package io.quiver.core.plan;

import io.quiver.core.benefit.Probe;
import io.quiver.core.order.RingRole;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job's part of the plan: the answer to its heartbeat.
 *
 * @param version which plan
 * @param members the cache servers
 * @param dataset what is held of its data set; null when nothing is to be cached of it
 * @param ringRole how it treats the rotating chunks
 * @param caching what it does with the cache
 * @param probe what it is to try out; null for nothing
 */
public record JobPlan(
    long version,
    List<ClusterMember> members,
    @Nullable DatasetPlan dataset,
    RingRole ringRole,
    Caching caching,
    @Nullable Probe probe) {
  /** Keeps its own copy; plans of older managers do not say what to do with the cache. */
  public JobPlan {
    members = List.copyOf(members);
    caching = orPlanned(caching);
  }

  private static Caching orPlanned(@Nullable Caching caching) {
    return Objects.requireNonNullElse(caching, Caching.PLANNED);
  }

  /** The part of a job that follows the plan and has nothing to try out. */
  public JobPlan(
      long version, List<ClusterMember> members, @Nullable DatasetPlan dataset, RingRole ringRole) {
    this(version, members, dataset, ringRole, Caching.PLANNED, null);
  }
}
