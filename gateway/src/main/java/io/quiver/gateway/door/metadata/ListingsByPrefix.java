package io.quiver.gateway.door.metadata;

import io.quiver.remote.ListingRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the listings that may show a name, among those that are kept. For one thread at a time. */
final class ListingsByPrefix {
  private final Map<String, Set<ListingRequest>> byPrefix = new HashMap<>();

  /** Notes a listing that is kept. */
  void add(ListingRequest request) {
    byPrefix.computeIfAbsent(request.prefix(), prefix -> new HashSet<>()).add(request);
  }

  /** Forgets a listing. */
  void remove(ListingRequest request) {
    byPrefix.computeIfPresent(
        request.prefix(),
        (prefix, requests) -> {
          requests.remove(request);
          return requests.isEmpty() ? null : requests;
        });
  }

  /** Returns the listings whose prefix a name begins with. */
  List<ListingRequest> showing(String name) {
    List<ListingRequest> found = new ArrayList<>();
    for (int length = 0; length <= name.length(); length++) {
      found.addAll(byPrefix.getOrDefault(name.substring(0, length), Set.of()));
    }
    return found;
  }
}
