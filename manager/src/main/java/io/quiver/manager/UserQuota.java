package io.quiver.manager;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.report.CachePreferences;

/**
 * The quota of all data sets of a user together, as it is sent.
 *
 * @param quotaBytes most bytes; -1 to take a quota back
 */
public record UserQuota(long quotaBytes) {
  /** Refuses what cannot be. */
  public UserQuota {
    Bounds.whole("quota_bytes", quotaBytes, -1, Bounds.MAX_CLUSTER_BYTES);
  }

  CachePreferences applyTo(CachePreferences preferences, String user) {
    return preferences.withUserQuota(user, quotaBytes < 0 ? null : quotaBytes);
  }
}
