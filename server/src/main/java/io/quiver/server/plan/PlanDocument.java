package io.quiver.server.plan;

import io.quiver.core.space.SpaceId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan of spaces as JSON. All but the prefix and the list may be left out.
 *
 * <pre>{@code
 * {"version": 7, "prefix": "ds-", "keep_others": false,
 *  "spaces": [{"name": "ds-0123456789abcdef.10.3", "quota_bytes": 1000000}, {"name": "ds-…"}]}
 * }</pre>
 */
public record PlanDocument(
    @Nullable Long version,
    @Nullable String prefix,
    @Nullable Boolean keepOthers,
    @Nullable List<@Nullable Entry> spaces) {

  /** One space; without a quota it has no bound. */
  public record Entry(@Nullable String name, @Nullable Long quotaBytes) {}

  /**
   * The plan it tells.
   *
   * @throws IllegalArgumentException when it tells none
   */
  public SpacePlan plan() {
    if (prefix == null || spaces == null) {
      throw new IllegalArgumentException("a plan needs a \"prefix\" and a list of \"spaces\"");
    }
    List<PlannedSpace> planned = new ArrayList<>();
    for (@Nullable Entry entry : spaces) {
      if (entry == null || entry.name == null) {
        throw new IllegalArgumentException("space " + planned.size() + " has no \"name\"");
      }
      long quota = entry.quotaBytes == null ? Long.MAX_VALUE : entry.quotaBytes;
      planned.add(new PlannedSpace(new SpaceId(entry.name), quota));
    }
    boolean keep = keepOthers != null && keepOthers;
    return new SpacePlan(version == null ? 0 : version, prefix, keep, planned);
  }
}
