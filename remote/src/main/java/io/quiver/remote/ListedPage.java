package io.quiver.remote;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes one page from a listing of everything, for stores that have no pages of their own. */
final class ListedPage {
  private ListedPage() {}

  static ListingPage of(RemoteStore store, ListingRequest request) throws IOException {
    List<RemoteObject> objects = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    String after = request.token() == null ? request.startAfter() : request.token();
    String last = after;
    @Nullable String next = null;
    try (Stream<RemoteObject> listing = store.list(request.prefix())) {
      Iterator<RemoteObject> rest = listing.iterator();
      while (rest.hasNext() && next == null) {
        RemoteObject object = rest.next();
        String group = group(object.name(), request);
        String key = group.isEmpty() ? object.name() : group;
        if (NameOrder.UTF_8.compare(key, after) <= 0 || key.equals(last)) {
          continue;
        }
        if (objects.size() + groups.size() == request.maxEntries()) {
          next = last;
        } else if (group.isEmpty()) {
          objects.add(object);
          last = key;
        } else {
          groups.add(group);
          last = key;
        }
      }
    }
    return new ListingPage(objects, groups, next);
  }

  private static String group(String name, ListingRequest request) {
    if (request.delimiter().isEmpty()) {
      return "";
    }
    int end = name.indexOf(request.delimiter(), request.prefix().length());
    return end < 0 ? "" : name.substring(0, end + request.delimiter().length());
  }
}
