package io.quiver.core.stream.tree;

import io.quiver.core.stream.ListedPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The listing of one directory: all its names in their order, as runs of packed names. It is put
 * together from pages, and follows later listings page by page.
 */
final class NameList {
  private static final int LARGEST_RUN = 2048;
  private static final int HEADER_BYTES = 200;
  private static final int RUN_BYTES = 8;

  private List<PackedNames> runs = new ArrayList<>();

  // The number of names before each run.
  private int[] before = {0};
  private boolean begun;
  private boolean complete;
  private boolean gone;
  private long heldBytes = HEADER_BYTES;
  private long fileBytes;
  private int directories;

  /** Returns true once pages from the first to the last were seen. */
  boolean isComplete() {
    return complete && !gone;
  }

  /** Marks this as forgotten: nobody may go on using it. */
  void forget() {
    gone = true;
    runs = new ArrayList<>();
    before = new int[] {0};
    heldBytes = 0;
  }

  int size() {
    return before[before.length - 1];
  }

  long heldBytes() {
    return heldBytes;
  }

  /** Returns the lengths of all its files together. */
  long fileBytes() {
    return fileBytes;
  }

  /** Returns how many of its entries are directories. */
  int directories() {
    return directories;
  }

  /**
   * Takes a page: what lies between its first and its last name is as the page shows it. A name
   * that is gone from between two pages stays, as nothing tells which pages follow each other.
   */
  void take(ListedPage page) {
    begun |= page.first();
    PackedNames names = sorted(page);
    if (isKnown(names, page)) {
      complete |= begun && page.last();
      return;
    }
    replace(names, page);
    complete = begun && (complete || page.last());
    count();
  }

  private static PackedNames sorted(ListedPage page) {
    List<String> names = page.names();
    for (int i = 1; i < names.size(); i++) {
      if (names.get(i - 1).compareTo(names.get(i)) >= 0) {
        return sort(page);
      }
    }
    return PackedNames.of(names, page.bytes());
  }

  private static PackedNames sort(ListedPage page) {
    Integer[] order = new Integer[page.names().size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (one, other) -> page.names().get(one).compareTo(page.names().get(other)));
    List<String> names = new ArrayList<>();
    long[] bytes = new long[order.length];
    for (int at : order) {
      String name = page.names().get(at);
      if (names.isEmpty() || !names.getLast().equals(name)) {
        bytes[names.size()] = page.bytes()[at];
        names.add(name);
      }
    }
    return PackedNames.of(names, bytes);
  }

  /** Returns true if the page shows what is known already, as when a directory is listed again. */
  private boolean isKnown(PackedNames names, ListedPage page) {
    if (names.size() == 0) {
      return size() == 0 || !(page.first() || page.last());
    }
    String first = names.name(0);
    int run = runOf(first, 0, first.length());
    if (run < 0) {
      return false;
    }
    int at = runs.get(run).find(first, 0, first.length());
    return at >= 0
        && names.isAt(runs.get(run), at)
        && (!page.first() || before[run] + at == 0)
        && (!page.last() || before[run] + at + names.size() == size());
  }

  private void replace(PackedNames names, ListedPage page) {
    List<PackedNames> all = new ArrayList<>(runs.size() + 2);
    @Nullable String first = names.size() == 0 ? null : names.name(0);
    @Nullable String last = names.size() == 0 ? null : names.name(names.size() - 1);
    if (!page.first() && first != null) {
      addBefore(all, first);
    }
    add(all, names);
    if (!page.last() && last != null) {
      addAfter(all, last);
    }
    runs = all;
  }

  private void addBefore(List<PackedNames> all, String first) {
    for (PackedNames run : runs) {
      int at = run.find(first, 0, first.length());
      int cut = at >= 0 ? at : -1 - at;
      if (cut == run.size()) {
        add(all, run);
      } else {
        add(all, run.part(0, cut));
        return;
      }
    }
  }

  private void addAfter(List<PackedNames> all, String last) {
    for (PackedNames run : runs) {
      int at = run.find(last, 0, last.length());
      int cut = at >= 0 ? at + 1 : -1 - at;
      if (cut < run.size()) {
        add(all, cut == 0 ? run : run.part(cut, run.size()));
      }
    }
  }

  private static void add(List<PackedNames> all, PackedNames run) {
    if (run.size() == 0) {
      return;
    }
    if (!all.isEmpty() && all.getLast().size() + run.size() <= LARGEST_RUN / 2) {
      all.set(all.size() - 1, all.getLast().and(run));
    } else {
      all.add(run);
    }
  }

  private void count() {
    before = new int[runs.size() + 1];
    heldBytes = HEADER_BYTES + (long) RUN_BYTES * before.length;
    fileBytes = 0;
    directories = 0;
    for (int i = 0; i < runs.size(); i++) {
      before[i + 1] = before[i] + runs.get(i).size();
      heldBytes += runs.get(i).heldBytes();
      fileBytes += runs.get(i).fileBytes();
      directories += runs.get(i).directories();
    }
  }

  /** Returns the number of a name; else -1 less the number that it would have. */
  int find(String path, int from, int to) {
    int run = runOf(path, from, to);
    if (run < 0) {
      return -1;
    }
    int at = runs.get(run).find(path, from, to);
    return at >= 0 ? before[run] + at : at - before[run];
  }

  /** Returns the last run that begins at or before a name; -1 if there is none. */
  private int runOf(String path, int from, int to) {
    int low = 0;
    int high = runs.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (runs.get(middle).compare(0, path, from, to) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return low - 1;
  }

  String name(int number) {
    int run = runWith(number);
    return runs.get(run).name(number - before[run]);
  }

  boolean isDirectory(int number) {
    int run = runWith(number);
    return runs.get(run).isDirectory(number - before[run]);
  }

  long bytes(int number) {
    int run = runWith(number);
    return runs.get(run).bytes(number - before[run]);
  }

  private int runWith(int number) {
    int at = Arrays.binarySearch(before, number);
    return at >= 0 ? at : -2 - at;
  }
}
