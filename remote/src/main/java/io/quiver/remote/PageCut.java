package io.quiver.remote;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one page out of names in order, for stores that know all their names. The token of a page is
 * its last entry, so any later page can be cut without the one before it.
 */
public final class PageCut {
  private PageCut() {}

  /** Reads one object's size, version and time of change. */
  @FunctionalInterface
  public interface Lookup<E extends Exception> {
    /** Returns the object of a name. */
    RemoteObject of(String name) throws E;
  }

  /** The name behind which a page begins; empty for the beginning. */
  public static String start(ListingRequest request) {
    return request.token() == null ? request.startAfter() : request.token();
  }

  /** Returns the group a name falls into; empty if the delimiter makes none of it. */
  public static String group(String name, ListingRequest request) {
    if (request.delimiter().isEmpty()) {
      return "";
    }
    int end = name.indexOf(request.delimiter(), request.prefix().length());
    return end < 0 ? "" : name.substring(0, end + request.delimiter().length());
  }

  /**
   * Cuts a page.
   *
   * @param names in order, each beginning with the prefix; those up to the start are passed over
   * @param lookup asked for the objects on the page only
   */
  public static <E extends Exception> ListingPage of(
      Iterator<String> names, ListingRequest request, Lookup<E> lookup) throws E {
    List<RemoteObject> objects = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    String last = start(request);
    @Nullable String next = null;
    while (names.hasNext() && next == null) {
      String name = names.next();
      String group = group(name, request);
      String entry = group.isEmpty() ? name : group;
      if (NameOrder.UTF_8.compare(entry, last) <= 0) {
        continue;
      }
      if (objects.size() + groups.size() == request.maxEntries()) {
        next = last;
      } else if (group.isEmpty()) {
        objects.add(lookup.of(name));
        last = entry;
      } else {
        groups.add(group);
        last = entry;
      }
    }
    return new ListingPage(objects, groups, next);
  }
}
