package io.quiver.core.keep;

import io.quiver.core.bound.Bounds;
import io.quiver.core.space.SpaceId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan's order that a space shall exist, with its keeper and its quota.
 *
 * @param name the space
 * @param keeper the policy that admits and evicts its blobs
 * @param quotaBytes most bytes its blobs take on all servers together; {@link #UNBOUNDED} where the
 *     plan has seen to it that they fit
 * @param jobs those that rank its blobs; the priorities of all others are given back
 */
public record SpaceOrder(SpaceId name, KeeperKind keeper, long quotaBytes, List<String> jobs) {
  /** Most jobs that rank the blobs of one space. */
  public static final int MAX_JOBS = 255;

  /** Quota of a space without a bound of its own. */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  /** Keeps its own copy and refuses what cannot be; orders of older managers name no jobs. */
  public SpaceOrder {
    Bounds.present("name", name);
    Bounds.present("keeper", keeper);
    if (quotaBytes != UNBOUNDED) {
      Bounds.whole("quota_bytes", quotaBytes, 0, Bounds.MAX_CLUSTER_BYTES);
    }
    if (quotaBytes == UNBOUNDED && keeper != KeeperKind.FIXED) {
      throw new IllegalArgumentException(
          "space " + name + " with keeper " + keeper.word() + " needs quota_bytes");
    }
    jobs = names(jobs);
  }

  /** Makes the order of a space whose blobs nobody ranks. */
  public SpaceOrder(SpaceId name, KeeperKind keeper, long quotaBytes) {
    this(name, keeper, quotaBytes, List.of());
  }

  private static List<String> names(@Nullable List<String> jobs) {
    List<String> names = jobs == null ? List.of() : Bounds.list("jobs", jobs, MAX_JOBS);
    names.forEach(job -> Bounds.name("a name in jobs", job));
    return names;
  }

  /** Returns the order of a space that never evicts and has no bound: a chunk of a data set. */
  public static SpaceOrder fixed(SpaceId name) {
    return new SpaceOrder(name, KeeperKind.FIXED, UNBOUNDED);
  }

  /**
   * Returns the order of a server that is this share of the cluster.
   *
   * @param share between 0 and 1
   */
  public SpaceOrder share(double share) {
    return quotaBytes == UNBOUNDED
        ? this
        : new SpaceOrder(name, keeper, (long) (quotaBytes * Math.clamp(share, 0.0, 1.0)), jobs);
  }
}
