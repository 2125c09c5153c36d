package io.quiver.core.plan;

import java.util.List;

/**
 * A server's part of the plan: the spaces it shall have. Of the spaces whose names begin with the
 * prefix, those not listed go; others are none of the plan's business.
 *
 * @param version which plan
 * @param prefix what the names of planned spaces begin with
 * @param spaces the names of all planned spaces
 */
public record ServerPlan(long version, String prefix, List<String> spaces) {
  /** Keeps its own copy. */
  public ServerPlan {
    spaces = List.copyOf(spaces);
  }
}
