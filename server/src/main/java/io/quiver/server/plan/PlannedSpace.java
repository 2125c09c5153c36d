package io.quiver.server.plan;

import io.quiver.core.space.SpaceId;

/**
 * A space a server shall have.
 *
 * @param space its name
 * @param quotaBytes its bound, {@link Long#MAX_VALUE} for none
 */
public record PlannedSpace(SpaceId space, long quotaBytes) {
  /** Checks the bound. */
  public PlannedSpace {
    if (quotaBytes < 0) {
      throw new IllegalArgumentException(
          "space " + space + " with a quota of " + quotaBytes + " bytes; use 0 or more");
    }
  }

  /** A space without a bound of its own. */
  public static PlannedSpace unbounded(SpaceId space) {
    return new PlannedSpace(space, Long.MAX_VALUE);
  }
}
