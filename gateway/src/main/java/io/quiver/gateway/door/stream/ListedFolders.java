package io.quiver.gateway.door.stream;

import io.quiver.core.stream.ListedPage;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.NameOrder;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Divides the pages of a store's listings into pages of folders. A listing without a delimiter
 * shows the objects of many folders at once, and with them which folders there are; a folder may
 * begin on one page and end on another. The last key of each page is remembered under the token of
 * the next one, for a bounded number of listings: without it no folder counts as begun or ended
 * that may not be. One thread uses it.
 */
final class ListedFolders {
  private static final String SLASH = "/";
  private static final long FOLDER = -1;
  private static final int MOST_PLACES = 512;

  /** Keys with more parts are left out: each part of a key may be a folder of its own. */
  private static final int MOST_PARTS = 32;

  /** Most folders that one page is divided into. */
  private static final int MOST_FOLDERS = 4096;

  /** Pages that were divided, and places where listings go on. */
  private final LinkedHashMap<ListingRequest, Place> places = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * A place in a listing.
   *
   * @param before the last key before it; null if that is not known
   * @param page the page there, once it was divided: programs that list at a time see one page
   */
  private record Place(@Nullable String before, WeakReference<@Nullable ListingPage> page) {}

  /** Returns the part of each folder that a page shows; nothing for a page that was divided. */
  Map<String, ListedPage> divide(ListingRequest request, ListingPage page) {
    boolean readable = request.delimiter().isEmpty() || request.delimiter().equals(SLASH);
    if (!readable || request.maxEntries() == 1) {
      // One entry is asked for to learn if there is a folder.
      return Map.of();
    }
    Place known = places.get(request);
    if (known != null && known.page.refersTo(page)) {
      return Map.of();
    }
    @Nullable String before = before(request, known);
    remember(request, new Place(before, new WeakReference<>(page)));
    List<String> keys = keys(page);
    if (page.next() != null) {
      @Nullable String last = keys.isEmpty() ? before : keys.getLast();
      remember(request.after(page.next()), new Place(last, new WeakReference<>(null)));
    }
    return new Division(request, page, keys, before).pages();
  }

  private static @Nullable String before(ListingRequest request, @Nullable Place known) {
    if (known != null) {
      return known.before;
    }
    return request.token() == null ? request.startAfter() : null;
  }

  private void remember(ListingRequest request, Place place) {
    places.put(request, place);
    if (places.size() > MOST_PLACES) {
      places.pollFirstEntry();
    }
  }

  private static List<String> keys(ListingPage page) {
    List<String> keys = new ArrayList<>(page.objects().size() + page.groups().size());
    page.objects().forEach(object -> keys.add(object.name()));
    if (!page.groups().isEmpty()) {
      keys.addAll(page.groups());
      keys.sort(NameOrder.UTF_8);
    }
    return keys;
  }

  /** Returns the folder of a key. */
  private static String parent(String key) {
    int slash = key.lastIndexOf('/');
    return slash < 0 ? "" : key.substring(0, slash);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static boolean isWithin(String key, String folder) {
    return folder.isEmpty() || (key.startsWith(folder) && key.startsWith(SLASH, folder.length()));
  }

  /** The division of one page. */
  private static final class Division {
    private final ListingRequest request;
    private final List<String> keys;
    private final @Nullable String before;
    private final boolean ends;
    private final String top;
    private final Map<String, SortedMap<String, Long>> folders = new LinkedHashMap<>();
    private boolean incomplete;

    Division(ListingRequest request, ListingPage page, List<String> keys, @Nullable String before) {
      this.request = request;
      this.keys = keys;
      this.before = before;
      this.ends = page.next() == null;
      this.top = parent(request.prefix());
      page.objects().forEach(object -> add(object.name(), object.size()));
      page.groups().forEach(this::addGroup);
    }

    private void add(String key, long bytes) {
      String folder = parent(key);
      boolean tooMany = folders.size() >= MOST_FOLDERS && !folders.containsKey(folder);
      if (tooMany || key.chars().filter(letter -> letter == '/').count() >= MOST_PARTS) {
        incomplete = true;
        return;
      }
      SortedMap<String, Long> children = children(folder);
      String name = name(key);
      if (!name.isEmpty()) {
        children.putIfAbsent(name, bytes);
      }
    }

    private void addGroup(String group) {
      String folder = group.substring(0, group.length() - 1);
      addTo(parent(folder), folder);
    }

    /** Returns the children of a folder, which is added to those above it when it is new. */
    private SortedMap<String, Long> children(String folder) {
      SortedMap<String, Long> known = folders.get(folder);
      if (known != null) {
        return known;
      }
      SortedMap<String, Long> children = new TreeMap<>();
      folders.put(folder, children);
      if (folder.length() > top.length()) {
        if (beginsHere(folder)) {
          addTo(parent(folder), folder);
        } else {
          children(parent(folder));
        }
      }
      return children;
    }

    private void addTo(String parent, String folder) {
      SortedMap<String, Long> children = children(parent);
      if (!name(folder).isEmpty()) {
        children.put(name(folder), FOLDER);
      }
    }

    /** Returns true if a folder below the listed one has nothing on the pages before. */
    private boolean beginsHere(String folder) {
      return before == null ? !isWithin(keys.getFirst(), folder) : !isWithin(before, folder);
    }

    Map<String, ListedPage> pages() {
      Map<String, ListedPage> pages = new LinkedHashMap<>();
      addEnded(pages);
      folders.forEach((folder, children) -> pages.put(folder, page(folder, children)));
      return pages;
    }

    private ListedPage page(String folder, SortedMap<String, Long> children) {
      boolean first;
      boolean last;
      if (folder.length() > top.length()) {
        first = beginsHere(folder);
        last = ends || !isWithin(keys.getLast(), folder);
      } else {
        first = isWhole() && request.token() == null && request.startAfter().isEmpty();
        last = isWhole() && ends;
      }
      return new ListedPage(
          List.copyOf(children.keySet()),
          children.values().stream().mapToLong(bytes -> bytes).toArray(),
          first,
          last && !incomplete);
    }

    /** Ends the folders whose last child was the last on the page before. */
    private void addEnded(Map<String, ListedPage> pages) {
      @Nullable String last = before;
      boolean goesOn = last != null && !last.isEmpty() && last.startsWith(request.prefix());
      if (last == null || !goesOn || incomplete || (keys.isEmpty() && !ends)) {
        return;
      }
      ListedPage end = new ListedPage(List.of(), new long[0], false, true);
      String folder = request.delimiter().isEmpty() ? parent(last) : top;
      while (folder.length() > top.length()) {
        if (keys.isEmpty() || !isWithin(keys.getFirst(), folder)) {
          pages.put(folder, end);
        }
        folder = parent(folder);
      }
      if (keys.isEmpty() && isWhole()) {
        pages.put(top, end);
      }
    }

    /** Returns true if all of the top folder is listed, and not a part of its names. */
    private boolean isWhole() {
      return request.prefix().isEmpty() || request.prefix().endsWith(SLASH);
    }
  }
}
