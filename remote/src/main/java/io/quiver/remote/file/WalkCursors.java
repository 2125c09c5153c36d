package io.quiver.remote.file;

import io.quiver.remote.ListingRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the walks of listings that somebody reads page by page, so that the next page goes on where
 * the last one ended instead of scanning the folder again. A walk that was dropped is begun anew
 * behind the last entry given. Safe for use by many threads.
 */
final class WalkCursors {
  /** Walks kept; each holds a bounded part of the folders it is in. */
  private static final int MOST = 8;

  /** The state that a walk goes on with. */
  private record Key(String prefix, String delimiter, String after) {}

  private final Map<Key, FileWalk> walks = new LinkedHashMap<>();

  /** Takes the walk that stands behind an entry, if it is kept. */
  synchronized @Nullable FileWalk take(ListingRequest request, String after) {
    return walks.remove(new Key(request.prefix(), request.delimiter(), after));
  }

  /** Keeps a walk that stands behind an entry. */
  synchronized void keep(ListingRequest request, String after, FileWalk walk) {
    walks.put(new Key(request.prefix(), request.delimiter(), after), walk);
    if (walks.size() > MOST) {
      walks.remove(walks.keySet().iterator().next());
    }
  }

  synchronized void clear() {
    walks.clear();
  }
}
