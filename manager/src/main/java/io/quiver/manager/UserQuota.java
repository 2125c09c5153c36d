package io.quiver.manager;

import io.quiver.core.plan.report.CachePreferences;

/**
 * The quota of all data sets of a user together, as it is sent.
 *
 * @param quotaBytes most bytes; negative to take a quota back
 */
public record UserQuota(long quotaBytes) {
  CachePreferences applyTo(CachePreferences preferences, String user) {
    return preferences.withUserQuota(user, quotaBytes < 0 ? null : quotaBytes);
  }
}
