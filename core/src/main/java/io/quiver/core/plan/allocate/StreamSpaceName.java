package io.quiver.core.plan.allocate;

import io.quiver.core.space.SpaceId;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names the spaces of streams, so that a plan finds them again on servers. */
public final class StreamSpaceName {
  private static final String PREFIX = DatasetKey.SPACE_PREFIX + "stream.";
  private static final Pattern KEY = Pattern.compile("[0-9a-f]{16,64}");

  private StreamSpaceName() {}

  /** Returns the space of a stream. */
  public static SpaceId of(String key) {
    return new SpaceId(PREFIX + key);
  }

  /** Returns the key of the stream whose space has a name; null if it is no stream's. */
  public static @Nullable String key(String space) {
    if (!space.startsWith(PREFIX)) {
      return null;
    }
    String key = space.substring(PREFIX.length());
    return KEY.matcher(key).matches() ? key : null;
  }
}
