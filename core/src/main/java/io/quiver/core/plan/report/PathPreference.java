package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import org.jspecify.annotations.Nullable;

/**
 * An operator's preference for whatever doors read below a path (IGTCache, footnote 8).
 *
 * @param preference held for good, never held, or as the planner decides
 * @param ttlSeconds the time without reads after which its bytes are free for others; null for the
 *     estimate
 */
public record PathPreference(CachePreference preference, @Nullable Double ttlSeconds) {
  /** Nothing is asked for. */
  public static final PathPreference NONE = new PathPreference(CachePreference.AUTO, null);

  /** Refuses what cannot be. */
  public PathPreference {
    Bounds.present("preference", preference);
    if (ttlSeconds != null) {
      Bounds.number("ttl_seconds", ttlSeconds, 0, Bounds.MAX_SECONDS);
    }
  }

  /** Returns the lease that the estimate for a stream gives way to. */
  public double leaseSeconds(double estimate) {
    return ttlSeconds == null ? estimate : ttlSeconds;
  }
}
