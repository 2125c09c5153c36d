package io.quiver.core.stream;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The streams that own paths, at one moment, as the places of their blocks. A block belongs to the
 * stream of the longest path that is a directory or file above it. Immutable.
 */
public final class StreamPlacements {
  /** No stream owns any path. */
  public static final StreamPlacements NONE = new StreamPlacements(Map.of());

  private final Map<String, BlockPlace> byPath;

  /** Keeps its own copy of the places by the paths of their owners; the root's path is empty. */
  public StreamPlacements(Map<String, BlockPlace> byPath) {
    this.byPath = Map.copyOf(byPath);
  }

  /** Returns the place of an object's blocks. */
  public BlockPlace of(String path) {
    String above = path;
    while (true) {
      @Nullable BlockPlace place = byPath.get(above);
      if (place != null) {
        return place;
      }
      if (above.isEmpty()) {
        return BlockPlace.SHARED;
      }
      above = above.substring(0, Math.max(0, above.lastIndexOf('/')));
    }
  }
}
