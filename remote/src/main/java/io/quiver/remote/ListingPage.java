package io.quiver.remote;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a listing.
 *
 * @param objects the objects, in the order of the UTF-8 bytes of their names
 * @param groups the groups that a delimiter made, each once: prefix, further characters, delimiter;
 *     in the same order
 * @param next a token for the page after this one, meaningful to the same store only; null at the
 *     end
 */
public record ListingPage(List<RemoteObject> objects, List<String> groups, @Nullable String next) {
  /** Keeps its own copies of the lists. */
  public ListingPage {
    objects = List.copyOf(objects);
    groups = List.copyOf(groups);
  }
}
