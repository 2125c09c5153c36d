package io.quiver.manager;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.PathPreference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of an operator's preference for what doors read below a path, as it is sent. What is
 * left out stays as it is.
 *
 * @param path a store's address with a folder or an object, as {@code quiver streams} shows it
 * @param preference pin, never, or auto to take either back
 * @param ttlSeconds time without reads after which its bytes are free; -1 for the estimate
 */
public record PathPreferenceChange(
    String path, @Nullable CachePreference preference, @Nullable Double ttlSeconds) {
  private static final double ESTIMATE = -1;

  /** Refuses what cannot be. */
  public PathPreferenceChange {
    Bounds.present("path", path);
    if (ttlSeconds != null && ttlSeconds != ESTIMATE) {
      Bounds.number("ttl_seconds", ttlSeconds, 0, Bounds.MAX_SECONDS);
    }
  }

  CachePreferences applyTo(CachePreferences preferences) {
    PathPreference before = preferences.ofPathAlone(path);
    @Nullable Double ttl = ttlSeconds == null ? before.ttlSeconds() : ttlSeconds;
    return preferences.withPath(
        path,
        new PathPreference(
            Objects.requireNonNullElse(preference, before.preference()),
            ttl == null || ttl < 0 ? null : ttl));
  }
}
