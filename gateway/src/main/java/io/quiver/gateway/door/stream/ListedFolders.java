package io.quiver.gateway.door.stream;

import io.quiver.core.stream.ListedPage;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.RemoteObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Divides a page of a store's listing into pages of folders. A listing without a delimiter shows
 * the objects of many folders at once, and with them which folders there are.
 */
final class ListedFolders {
  private static final long FOLDER = -1;

  private final ListingRequest request;
  private final Map<String, SortedMap<String, Long>> folders = new LinkedHashMap<>();

  private final Set<String> holdsFolders = new HashSet<>();

  private ListedFolders(ListingRequest request) {
    this.request = request;
  }

  /** Returns the part of each folder that a page shows. */
  static Map<String, ListedPage> of(ListingRequest request, ListingPage page) {
    ListedFolders divided = new ListedFolders(request);
    String top = parent(request.prefix());
    page.objects().forEach(object -> divided.add(top, object));
    page.groups().forEach(group -> divided.add(top, group));
    return divided.pages(page.next() == null);
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private void add(String top, RemoteObject object) {
    String folder = parent(object.name());
    if (!name(object.name()).isEmpty()) {
      children(folder).put(name(object.name()), object.size());
    }
    addAbove(top, folder);
  }

  private void add(String top, String group) {
    String folder = group.endsWith("/") ? group.substring(0, group.length() - 1) : group;
    if (!folder.isEmpty()) {
      children(parent(folder)).put(name(folder), FOLDER);
      addAbove(top, parent(folder));
    }
  }

  /** Adds a folder to those above it, up to the one that was listed. */
  private void addAbove(String top, String folder) {
    String below = folder;
    while (below.length() > top.length()) {
      holdsFolders.add(parent(below));
      Long known = children(parent(below)).putIfAbsent(name(below), FOLDER);
      if (known != null) {
        return;
      }
      below = parent(below);
    }
  }

  private SortedMap<String, Long> children(String folder) {
    return folders.computeIfAbsent(folder, any -> new TreeMap<>());
  }

  /** Every folder but the first began on this page, and every one but the last ended on it. */
  private Map<String, ListedPage> pages(boolean ends) {
    Map<String, ListedPage> pages = new LinkedHashMap<>();
    List<String> shown = new ArrayList<>(folders.keySet());
    boolean begins = request.token() == null && request.startAfter().isEmpty();
    boolean whole = request.prefix().isEmpty() || request.prefix().endsWith("/");
    for (String folder : shown) {
      SortedMap<String, Long> children = children(folder);
      boolean isFirst = folder.equals(shown.getFirst());
      boolean isLast = folder.equals(shown.getLast());
      boolean nested = holdsFolders.contains(folder);
      pages.put(
          folder,
          new ListedPage(
              List.copyOf(children.keySet()),
              children.values().stream().mapToLong(bytes -> bytes).toArray(),
              whole && (begins || !(isFirst || nested)),
              whole && (ends || !(isLast || nested))));
    }
    return pages;
  }
}
