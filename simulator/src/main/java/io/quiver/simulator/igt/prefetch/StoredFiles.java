package io.quiver.simulator.igt.prefetch;

import io.quiver.core.stream.ListedPage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The files of a data set in a store, numbered in the order of their paths, and their blocks. */
public final class StoredFiles {
  /** The length of all blocks of a file but the last. */
  public static final int BLOCK_BYTES = 4 << 20;

  private static final int BLOCK_BITS = 20;

  private final List<String> paths = new ArrayList<>();
  private final List<Long> lengths = new ArrayList<>();
  private final List<Integer> directories = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  /** Makes a data set of the files of these paths and lengths. */
  public StoredFiles(SortedMap<String, Long> files) {
    String last = "";
    int directory = -1;
    for (Map.Entry<String, Long> file : files.entrySet()) {
      String path = file.getKey();
      String above = path.substring(0, Math.max(0, path.lastIndexOf('/')));
      directory += directory < 0 || !above.equals(last) ? 1 : 0;
      last = above;
      numbers.put(path, paths.size());
      paths.add(path);
      lengths.add(file.getValue());
      directories.add(directory);
    }
  }

  /** Returns how many files there are. */
  public int count() {
    return paths.size();
  }

  /** Returns the path of a file. */
  public String path(int file) {
    return paths.get(file);
  }

  /** Returns the number of a file; -1 if there is no such file. */
  public int find(String path) {
    @Nullable Integer number = numbers.get(path);
    return number == null ? -1 : number;
  }

  /** Returns the number of the directory that a file is in, counted in the order of their paths. */
  public int directory(int file) {
    return directories.get(file);
  }

  /** Returns how many blocks a file has. */
  public int blocks(int file) {
    return (int) Math.max(1, (lengths.get(file) + BLOCK_BYTES - 1) / BLOCK_BYTES);
  }

  /** Returns the length of a block. */
  public int bytes(int file, int block) {
    return (int) Math.min(BLOCK_BYTES, lengths.get(file) - (long) block * BLOCK_BYTES);
  }

  /** Returns the length of all files. */
  public long bytes() {
    return lengths.stream().mapToLong(Long::longValue).sum();
  }

  /** Returns a number that only this block has. */
  public static long key(int file, int block) {
    return (long) file << BLOCK_BITS | block;
  }

  /** Returns the listings of all directories by their paths; the root's path is empty. */
  public Map<String, ListedPage> listings() {
    Map<String, SortedMap<String, Long>> children = new TreeMap<>();
    for (int file = 0; file < paths.size(); file++) {
      String path = paths.get(file);
      long bytes = lengths.get(file);
      int slash = path.lastIndexOf('/');
      while (slash >= 0) {
        String above = path.substring(0, slash);
        children
            .computeIfAbsent(above, any -> new TreeMap<>())
            .put(path.substring(slash + 1), bytes);
        path = above;
        bytes = -1;
        slash = path.lastIndexOf('/');
      }
      children.computeIfAbsent("", any -> new TreeMap<>()).put(path, bytes);
    }
    Map<String, ListedPage> pages = new TreeMap<>();
    children.forEach((directory, names) -> pages.put(directory, page(names)));
    return pages;
  }

  private static ListedPage page(SortedMap<String, Long> names) {
    long[] bytes = names.values().stream().mapToLong(Long::longValue).toArray();
    return new ListedPage(List.copyOf(names.keySet()), bytes, true, true);
  }
}
