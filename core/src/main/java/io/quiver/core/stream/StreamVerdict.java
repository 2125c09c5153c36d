package io.quiver.core.stream;

import io.quiver.core.bound.Bounds;
import io.quiver.core.space.SpaceId;
import org.jspecify.annotations.Nullable;

/**
 * The plan's word about one stream, for all doors.
 *
 * @param key the stream's hashed name
 * @param pattern how it is read, all doors taken together
 * @param space where its blocks go; null if they are not to be inserted
 * @param quotaBytes most bytes of it in the cache; 0 without a space
 */
public record StreamVerdict(
    String key, AccessPattern pattern, @Nullable SpaceId space, long quotaBytes) {
  /** Refuses what cannot be. */
  public StreamVerdict {
    Bounds.matching("key", key, StreamSummary.KEY, "16 to 64 hex digits");
    Bounds.present("pattern", pattern);
    Bounds.whole("quota_bytes", quotaBytes, 0, Bounds.MAX_CLUSTER_BYTES);
  }
}
