package io.quiver.server.plan;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.space.SpaceId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The orders of spaces under a prefix as JSON. All but the prefix and the list may be left out;
 * quotas are this server's own.
 *
 * <pre>{@code
 * {"version": 7, "prefix": "ds-", "keep_others": false,
 *  "spaces": [{"name": "ds-lru", "keeper": "recent", "quota_bytes": 1000000}, {"name": "ds-…"}]}
 * }</pre>
 */
public record PlanDocument(
    @Nullable Long version,
    @Nullable String prefix,
    @Nullable Boolean keepOthers,
    @Nullable List<@Nullable Entry> spaces) {

  /** One space; without a keeper it is fixed, without a quota unbounded, without jobs unranked. */
  public record Entry(
      @Nullable String name,
      @Nullable String keeper,
      @Nullable Long quotaBytes,
      @Nullable List<String> jobs) {}

  /**
   * Returns the plan that this document tells.
   *
   * @param mostVersion the largest version that is believed; a larger one would shut out all plans
   *     to come
   * @throws IllegalArgumentException when it tells none
   */
  public SpacePlan plan(long mostVersion) {
    if (prefix == null || spaces == null) {
      throw new IllegalArgumentException("a plan needs a \"prefix\" and a list of \"spaces\"");
    }
    if (version != null && version > mostVersion) {
      throw new IllegalArgumentException(
          "plan " + version + " is far ahead; versions go up to " + mostVersion + " now");
    }
    List<SpaceOrder> orders = new ArrayList<>();
    for (@Nullable Entry entry : spaces) {
      if (entry == null || entry.name == null) {
        throw new IllegalArgumentException("space " + orders.size() + " has no \"name\"");
      }
      long quota = entry.quotaBytes == null ? SpaceOrder.UNBOUNDED : entry.quotaBytes;
      KeeperKind keeper = entry.keeper == null ? KeeperKind.FIXED : KeeperKind.parse(entry.keeper);
      List<String> jobs = entry.jobs == null ? List.of() : entry.jobs;
      orders.add(new SpaceOrder(new SpaceId(entry.name), keeper, quota, jobs));
    }
    boolean keep = keepOthers != null && keepOthers;
    return new SpacePlan(version == null ? 0 : version, prefix, keep, orders);
  }
}
