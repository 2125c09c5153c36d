package io.quiver.manager;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import org.jspecify.annotations.Nullable;

/**
 * An operator's preference for a data set, as it is sent. What is left out stays as it is.
 *
 * @param preference pin, never, or auto to take either back
 * @param quotaBytes most bytes of it; -1 to take a quota back
 */
public record DatasetPreference(@Nullable CachePreference preference, @Nullable Long quotaBytes) {
  /** Refuses what cannot be. */
  public DatasetPreference {
    if (quotaBytes != null) {
      Bounds.whole("quota_bytes", quotaBytes, -1, Bounds.MAX_CLUSTER_BYTES);
    }
  }

  CachePreferences applyTo(CachePreferences preferences, DatasetKey dataset) {
    CachePreferences changed =
        preference == null ? preferences : preferences.with(dataset, preference);
    return quotaBytes == null
        ? changed
        : changed.withQuota(dataset, quotaBytes < 0 ? null : quotaBytes);
  }
}
