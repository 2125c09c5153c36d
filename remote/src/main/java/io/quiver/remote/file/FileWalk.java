package io.quiver.remote.file;

import io.quiver.remote.NameOrder;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.file.DirectoryPages.Bounds;
import io.quiver.remote.file.DirectoryPages.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Walks a tree of files in the order of their names, one page of entries per open folder. A walk
 * that stays in one folder gives its folders as groups instead of entering them.
 */
final class FileWalk implements Iterator<FileWalk.Found> {
  /**
   * A file, or a folder that was not entered.
   *
   * @param name of a folder ends in a slash
   * @param object absent for a folder
   */
  record Found(String name, @Nullable RemoteObject object) {}

  /** The deepest tree allowed; a deeper one is a mistake and would hold too many pages. */
  private static final int DEEPEST = 256;

  /** A folder on the way from the root to the current file. */
  private static final class Level {
    final String path;
    final String prefix;
    final String after;
    final DirectoryPages pages;
    Iterator<Entry> page = Collections.emptyIterator();

    Level(String path, String prefix, String after, DirectoryPages pages) {
      this.path = path;
      this.prefix = prefix;
      this.after = after;
      this.pages = pages;
    }
  }

  private final FileNames names;
  private final int pageSize;
  private final Deque<Level> levels = new ArrayDeque<>();
  private final boolean deep;
  private @Nullable Found ready;

  /**
   * @param prefix what the names must begin with
   * @param after the walk begins behind this name; empty for the beginning
   * @param deep enters folders; otherwise folders are found like files
   */
  FileWalk(FileNames names, String prefix, String after, boolean deep, int pageSize)
      throws IOException {
    this.names = names;
    this.pageSize = pageSize;
    this.deep = deep;
    int slash = prefix.lastIndexOf('/');
    String folder = prefix.substring(0, slash + 1);
    if (folder.isEmpty()) {
      enter("", names.root(), prefix, after);
    } else if (FileNames.isPlain(folder.substring(0, slash)) && !isBehind(after, folder)) {
      Path start = names.path(folder.substring(0, slash));
      if (isRealFolder(start)) {
        enter(folder, start, prefix.substring(slash + 1), restOf(after, folder));
      }
    }
  }

  /** Returns true if a name stands behind everything in a folder. */
  private static boolean isBehind(String name, String folder) {
    return !name.startsWith(folder) && NameOrder.UTF_8.compare(name, folder) > 0;
  }

  @Override
  public boolean hasNext() {
    try {
      while (ready == null && !levels.isEmpty()) {
        advance(levels.getLast());
      }
    } catch (IOException trouble) {
      throw new UncheckedIOException(trouble);
    }
    return ready != null;
  }

  @Override
  public Found next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the listing has ended");
    }
    Found found = Objects.requireNonNull(ready);
    ready = null;
    return found;
  }

  /** Returns true if the folder is reached without a link, because a listing enters no link. */
  private boolean isRealFolder(Path start) throws IOException {
    try {
      // In this order: below a file, a real path is an error of no particular kind.
      return Files.isDirectory(start) && start.toRealPath().equals(start);
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  private void advance(Level level) throws IOException {
    if (!level.page.hasNext()) {
      level.page = level.pages.next().iterator();
    }
    if (!level.page.hasNext()) {
      levels.removeLast();
      return;
    }
    Entry entry = level.page.next();
    String name = level.path + entry.key();
    if (!entry.isFolder()) {
      ready = new Found(name, FileStore.describe(name, entry.attributes()));
    } else if (deep) {
      String key = entry.key();
      enter(name, entry.path(), restOf(level.prefix, key), restOf(level.after, key));
    } else {
      ready = new Found(name, null);
    }
  }

  /** Returns what follows a folder in a name; empty for a name that is not below the folder. */
  private static String restOf(String name, String folder) {
    return name.startsWith(folder) ? name.substring(folder.length()) : "";
  }

  private void enter(String name, Path folder, String prefix, String after) throws IOException {
    if (levels.size() == DEEPEST) {
      throw new IOException("folders are nested more than " + DEEPEST + " deep at " + folder);
    }
    DirectoryPages pages =
        new DirectoryPages(names, folder, new Bounds(prefix, after, deep), pageSize);
    levels.addLast(new Level(name, prefix, after, pages));
  }
}
