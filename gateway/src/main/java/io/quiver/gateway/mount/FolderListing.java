package io.quiver.gateway.mount;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.mount.EntryCache.Known;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.NameOrder;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One reading of a folder, a page of the store's listing at a time.
 *
 * <p>A name that is both an object and a folder is shown once, as a folder. The folder's key ends
 * in a slash, so names such as {@code a-b} can lie between the object {@code a} and the folder
 * {@code a/}. Objects therefore wait until the listing has passed the place of such a folder. Those
 * that wait begin with one another, so they are few.
 */
final class FolderListing {
  /** Places a reader can go back to without beginning again. */
  private static final int MOST_MARKS = 4096;

  private final Door door;
  private final String prefix;
  private final EntryCache cache;
  private final TroubleLog log;
  private final List<Mark> marks = new ArrayList<>();
  private Deque<RemoteObject> waiting = new ArrayDeque<>();
  private List<Entry> page = List.of();
  private long pageStart;
  private @Nullable String token;
  private boolean finished;
  private long until;

  /** An entry of the folder, with a name that a folder can show. */
  record Entry(String name, Known known) {}

  /** The state before a page. */
  private record Mark(long start, @Nullable String token, List<RemoteObject> waiting) {}

  FolderListing(Door door, String prefix, EntryCache cache, TroubleLog log) {
    this.door = door;
    this.prefix = prefix;
    this.cache = cache;
    this.log = log;
  }

  /** Returns the entry at a position, or null behind the last one. */
  @Nullable Entry at(long position) throws IOException {
    if (position < pageStart) {
      goBack(position);
    }
    while (position >= pageStart + page.size()) {
      if (finished) {
        return null;
      }
      load();
    }
    return page.get((int) (position - pageStart));
  }

  private void goBack(long position) {
    Mark mark = marks.getFirst();
    while (marks.size() > 1 && marks.getLast().start > position) {
      marks.removeLast();
    }
    mark = marks.getLast().start <= position ? marks.removeLast() : mark;
    pageStart = mark.start;
    token = mark.token;
    waiting = new ArrayDeque<>(mark.waiting);
    page = List.of();
    finished = false;
  }

  private void load() throws IOException {
    ListingRequest request = ListingRequest.folder(prefix);
    long believed = cache.until();
    ListingPage next = door.list(token == null ? request : request.after(token));
    mark();
    until = believed;
    pageStart += page.size();
    List<Entry> entries = new ArrayList<>(next.objects().size() + next.groups().size());
    merge(next, entries);
    token = next.next();
    finished = token == null;
    if (finished) {
      release(null, entries);
    }
    page = entries;
  }

  private void mark() {
    if (marks.size() < MOST_MARKS) {
      marks.add(new Mark(pageStart + page.size(), token, List.copyOf(waiting)));
    }
  }

  /** Goes through objects and folders in the order of their keys. */
  private void merge(ListingPage next, List<Entry> entries) {
    int object = 0;
    int group = 0;
    while (object < next.objects().size() || group < next.groups().size()) {
      boolean objectFirst =
          group == next.groups().size()
              || (object < next.objects().size()
                  && NameOrder.UTF_8.compare(
                          next.objects().get(object).name(), next.groups().get(group))
                      < 0);
      if (objectFirst) {
        RemoteObject found = next.objects().get(object++);
        release(found.name(), entries);
        if (!found.name().equals(prefix)) {
          waiting.addLast(found);
        }
      } else {
        String folder = next.groups().get(group++);
        release(folder, entries);
        add(folder.substring(0, folder.length() - 1), Resolved.FOLDER, entries);
      }
    }
  }

  /**
   * Adds the objects that wait for a folder of their name which cannot come any more, now that the
   * listing is at this key.
   */
  private void release(@Nullable String key, List<Entry> entries) {
    while (!waiting.isEmpty()) {
      RemoteObject object = waiting.getLast();
      int place = key == null ? 1 : NameOrder.UTF_8.compare(key, object.name() + "/");
      if (place < 0) {
        return;
      }
      waiting.removeLast();
      if (place == 0) {
        log.warnOnce(
            "'" + object.name() + "' is an object and a folder; the mount shows the folder");
      } else {
        add(object.name(), new Resolved.File(object), entries);
      }
    }
  }

  private void add(String path, Resolved found, List<Entry> entries) {
    String name = path.substring(prefix.length());
    if (EntryName.bytes(name) == null) {
      log.warnOnce(
          "'"
              + path
              + "' is left out: '"
              + name
              + "' is not a name a folder can show (empty, '.', '..', over 255 bytes, or not"
              + " text)");
      return;
    }
    Known known = new Known(found, until);
    cache.put(path, known);
    entries.add(new Entry(name, known));
  }
}
