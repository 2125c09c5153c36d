package io.quiver.remote.file;

import io.quiver.remote.NameOrder;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists one folder in the order of the whole names below it, a bounded page at a time.
 *
 * <p>A folder {@code a} sorts as {@code a/}, because that is what the names of everything in it
 * begin with: {@code a-b} comes before {@code a/c}. A folder with more entries than fit a page is
 * scanned once per page, each time keeping only the smallest ones not yet given, so that a flat
 * folder of millions of files needs no more memory than one page.
 */
final class DirectoryPages {
  private static final Logger log = LoggerFactory.getLogger(DirectoryPages.class);
  private static final Comparator<Entry> ORDER = Comparator.comparing(Entry::key, NameOrder.UTF_8);

  /** A file or folder; the key of a folder ends in a slash. */
  record Entry(String key, Path path, BasicFileAttributes attributes) {
    boolean isFolder() {
      return key.endsWith("/");
    }
  }

  /**
   * The part of a folder that is listed; names are relative to the folder.
   *
   * @param prefix what names must begin with
   * @param after the listing begins behind this name; empty for the beginning
   * @param deep whether a folder is wanted for what is in it rather than for itself
   */
  record Bounds(String prefix, String after, boolean deep) {
    /** Returns false if the name alone shows that an entry does not match. */
    boolean mayMatch(String name) {
      return (name.startsWith(prefix) || prefix.startsWith(name)) && !isBefore(name + "/");
    }

    boolean matches(Entry entry) {
      boolean named =
          entry.key().startsWith(prefix) || (entry.isFolder() && prefix.startsWith(entry.key()));
      return named && !isBefore(entry.key());
    }

    private boolean isBefore(String key) {
      boolean leadsThere = deep && key.endsWith("/") && after.startsWith(key);
      return NameOrder.UTF_8.compare(key, after) <= 0 && !leadsThere;
    }
  }

  private final FileNames names;
  private final Path folder;
  private final Bounds bounds;
  private final int pageSize;
  private @Nullable String last;
  private boolean finished;

  DirectoryPages(FileNames names, Path folder, Bounds bounds, int pageSize) {
    this.names = names;
    this.folder = folder;
    this.bounds = bounds;
    this.pageSize = pageSize;
  }

  /** Returns the next entries in order; empty when there are no more. */
  List<Entry> next() throws IOException {
    if (finished) {
      return List.of();
    }
    PriorityQueue<Entry> smallest = new PriorityQueue<>(ORDER.reversed());
    finished = true;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path path : entries) {
        offer(path, smallest);
      }
    } catch (DirectoryIteratorException trouble) {
      throw trouble.getCause();
    } catch (NoSuchFileException vanished) {
      return List.of();
    }
    List<Entry> page = new ArrayList<>(smallest);
    page.sort(ORDER);
    last = page.isEmpty() ? last : page.getLast().key();
    return Collections.unmodifiableList(page);
  }

  private void offer(Path path, PriorityQueue<Entry> smallest) throws IOException {
    String name = readableName(path);
    if (!bounds.mayMatch(name) || isGiven(name + "/") || FolderWriter.isUnfinished(name)) {
      return;
    }
    if (smallest.size() == pageSize && isBehind(name, smallest)) {
      finished = false;
      return;
    }
    Entry entry = describe(path, name);
    if (entry == null || !bounds.matches(entry) || isGiven(entry.key())) {
      return;
    }
    smallest.add(entry);
    if (smallest.size() > pageSize) {
      smallest.remove();
      finished = false;
    }
  }

  private boolean isGiven(String key) {
    return last != null && NameOrder.UTF_8.compare(key, last) <= 0;
  }

  /** Returns true if a name comes after a full page, without a look at the file. */
  private static boolean isBehind(String name, PriorityQueue<Entry> smallest) {
    Entry largest = Objects.requireNonNull(smallest.peek());
    return NameOrder.UTF_8.compare(name, largest.key()) > 0;
  }

  private String readableName(Path path) throws IOException {
    String name = path.getFileName().toString();
    if (name.indexOf('\uFFFD') >= 0) {
      throw new IOException(
          "the file name '"
              + name
              + "' in "
              + folder
              + " is not valid text in this process's file name encoding ("
              + System.getProperty("sun.jnu.encoding")
              + "): rename it, or start with LC_ALL=C.UTF-8");
    }
    return name;
  }

  /** Returns the entry at a path, or null if it is neither file nor folder or has vanished. */
  private @Nullable Entry describe(Path path, String name) throws IOException {
    try {
      BasicFileAttributes own =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (own.isDirectory()) {
        return new Entry(name + "/", path, own);
      }
      if (own.isRegularFile()) {
        return new Entry(name, path, own);
      }
      return own.isSymbolicLink() ? describeLink(path, name) : null;
    } catch (NoSuchFileException vanished) {
      return null;
    }
  }

  private @Nullable Entry describeLink(Path path, String name) throws IOException {
    if (names.leadsInside(path)) {
      BasicFileAttributes target = Files.readAttributes(path, BasicFileAttributes.class);
      if (target.isRegularFile()) {
        return new Entry(name, path, target);
      }
    }
    log.warn("left out {}: a link to a folder, or to something outside {}", path, names.root());
    return null;
  }
}
