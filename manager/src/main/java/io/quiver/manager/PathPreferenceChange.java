package io.quiver.manager;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.PathPreference;
import org.jspecify.annotations.Nullable;

/**
 * A change of an operator's preference for what doors read below a path, as it is sent.
 *
 * @param path a store's address with a folder or an object, as {@code quiver streams} shows it
 * @param preference pin, never, or auto to take either back
 * @param ttlSeconds time without reads after which its bytes are free; null for the estimate
 */
public record PathPreferenceChange(
    String path, CachePreference preference, @Nullable Double ttlSeconds) {
  /** Refuses what cannot be. */
  public PathPreferenceChange {
    Bounds.present("path", path);
    Bounds.present("preference", preference);
  }

  CachePreferences applyTo(CachePreferences preferences) {
    return preferences.withPath(path, new PathPreference(preference, ttlSeconds));
  }
}
