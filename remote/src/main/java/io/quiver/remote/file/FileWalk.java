package io.quiver.remote.file;

import io.quiver.remote.RemoteObject;
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

/** Walks a tree of files in the order of their names, one page of entries per open folder. */
final class FileWalk implements Iterator<RemoteObject> {
  /** The deepest tree allowed; a deeper one is a mistake and would hold too many pages. */
  private static final int DEEPEST = 256;

  /** A folder on the way from the root to the current file. */
  private static final class Level {
    final String path;
    final String prefix;
    final DirectoryPages pages;
    Iterator<Entry> page = Collections.emptyIterator();

    Level(String path, String prefix, DirectoryPages pages) {
      this.path = path;
      this.prefix = prefix;
      this.pages = pages;
    }
  }

  private final FileNames names;
  private final int pageSize;
  private final Deque<Level> levels = new ArrayDeque<>();
  private @Nullable RemoteObject ready;

  /**
   * @param prefix what the names must begin with
   */
  FileWalk(FileNames names, String prefix, int pageSize) throws IOException {
    this.names = names;
    this.pageSize = pageSize;
    int slash = prefix.lastIndexOf('/');
    String folder = prefix.substring(0, slash + 1);
    if (folder.isEmpty()) {
      enter("", names.root(), prefix);
    } else if (FileNames.isPlain(folder.substring(0, slash))) {
      Path start = names.path(folder.substring(0, slash));
      if (isRealFolder(start)) {
        enter(folder, start, prefix.substring(slash + 1));
      }
    }
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
  public RemoteObject next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the listing has ended");
    }
    RemoteObject object = Objects.requireNonNull(ready);
    ready = null;
    return object;
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
    if (entry.isFolder()) {
      enter(name, entry.path(), restOf(level.prefix, entry.key()));
    } else {
      ready = FileStore.describe(name, entry.attributes());
    }
  }

  private static String restOf(String prefix, String key) {
    return prefix.length() > key.length() ? prefix.substring(key.length()) : "";
  }

  private void enter(String name, Path folder, String prefix) throws IOException {
    if (levels.size() == DEEPEST) {
      throw new IOException("folders are nested more than " + DEEPEST + " deep at " + folder);
    }
    levels.addLast(new Level(name, prefix, new DirectoryPages(names, folder, prefix, pageSize)));
  }
}
