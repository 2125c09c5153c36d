package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * An operator's preference for whatever doors read below a path (IGTCache, footnote 8).
 *
 * @param preference held for good, never held, or as the planner decides
 * @param ttl seconds without reads after which its bytes are free for others; null for the estimate
 */
public record PathPreference(CachePreference preference, @Nullable Double ttl) {
  /** Nothing is asked for. */
  public static final PathPreference NONE = new PathPreference(CachePreference.AUTO, null);

  /** Refuses what cannot be. */
  public PathPreference {
    Bounds.present("preference", preference);
    if (ttl != null) {
      Bounds.number("ttl", ttl, 0, Bounds.MAX_SECONDS);
    }
  }

  /** Returns the seconds without reads after which its bytes are free; empty for the estimate. */
  public OptionalDouble ttlSeconds() {
    return ttl == null ? OptionalDouble.empty() : OptionalDouble.of(ttl);
  }
}
