package io.quiver.core.stream;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The streams that own paths, at one moment. A block belongs to the stream of the longest path that
 * is a directory or file above it. Immutable.
 */
public final class StreamPlacements {
  /** No stream owns any path. */
  public static final StreamPlacements NONE = new StreamPlacements(Map.of());

  private final Map<String, Placement> byPath;

  /**
   * A stream that owns a path.
   *
   * @param key its hashed name
   * @param pattern the pattern to act on: the plan's, else what the door has recognised itself
   */
  public record Placement(String key, AccessPattern pattern) {}

  /** Keeps its own copy of the owners by their paths; the root's path is empty. */
  public StreamPlacements(Map<String, Placement> byPath) {
    this.byPath = Map.copyOf(byPath);
  }

  /** Returns the stream that owns a path; null if none does. */
  public @Nullable Placement of(String path) {
    String above = path;
    while (true) {
      @Nullable Placement owner = byPath.get(above);
      if (owner != null || above.isEmpty()) {
        return owner;
      }
      above = above.substring(0, Math.max(0, above.lastIndexOf('/')));
    }
  }
}
