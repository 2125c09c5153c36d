package io.quiver.core.stream.tree;

import io.quiver.core.stream.ListedPage;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The listings that programs asked for, within a bound of memory. The directories that were looked
 * at longest ago are forgotten first; one directory takes at most seven eighths of the memory.
 */
final class Listings {
  private static final int ENTRY_BYTES = 120;
  private static final int OTHERS_PART = 8;

  private final long mostBytes;
  private final Map<String, NameList> byDirectory = new LinkedHashMap<>(16, 0.75f, true);
  private long heldBytes;

  Listings(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Returns the listing of a directory, complete or not; null if nothing is known. */
  @Nullable NameList of(String directory) {
    return byDirectory.get(directory);
  }

  /** Learns a page; returns the listing it belongs to, or null if it is too large to be kept. */
  @Nullable NameList learn(String directory, ListedPage page) {
    @Nullable NameList list = byDirectory.get(directory);
    if (list == null) {
      if (!page.first()) {
        return null;
      }
      list = new NameList();
      byDirectory.put(directory, list);
      heldBytes += list.heldBytes() + entryBytes(directory);
    }
    long had = list.heldBytes();
    list.take(page);
    heldBytes += list.heldBytes() - had;
    if (list.heldBytes() > mostBytes - mostBytes / OTHERS_PART) {
      forget(directory);
    }
    while (heldBytes > mostBytes && !byDirectory.isEmpty()) {
      Iterator<String> oldest = byDirectory.keySet().iterator();
      forget(oldest.next());
    }
    return byDirectory.get(directory);
  }

  private void forget(String directory) {
    @Nullable NameList list = byDirectory.remove(directory);
    if (list != null) {
      heldBytes -= list.heldBytes() + entryBytes(directory);
      list.forget();
    }
  }

  private static long entryBytes(String directory) {
    return (long) ENTRY_BYTES + directory.length();
  }

  long heldBytes() {
    return heldBytes;
  }
}
