package io.quiver.remote.ingest;

import io.quiver.remote.NameOrder;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists the store on a thread of its own and leaves out what does not take part. */
final class Lister implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lister.class);

  private final RemoteStore store;
  private final NameFilter filter;
  private final OwnFiles ownFiles;
  private final ListingSpool spool;
  private final DigestProgress progress;
  private final Thread thread;

  Lister(
      RemoteStore store,
      IngestOptions options,
      Path output,
      ListingSpool spool,
      DigestProgress progress) {
    this.store = store;
    this.filter = new NameFilter(options.names().include(), options.names().exclude());
    this.ownFiles = OwnFiles.of(store.uri(), output);
    this.spool = spool;
    this.progress = progress;
    this.thread = Thread.ofPlatform().daemon().name("digest-lister").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      if (!thread.join(Duration.ofSeconds(60))) {
        LOG.warn("the listing of {} goes on until its page's deadline", store.uri());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    IOException failure = null;
    try {
      list();
      progress.listingComplete();
    } catch (IOException e) {
      failure = e;
    } catch (UncheckedIOException e) {
      failure = e.getCause();
    } catch (RuntimeException | Error e) {
      failure = new IngestException("listing " + store.uri() + " failed: " + e, e);
    }
    try {
      spool.finish(failure);
    } catch (IOException e) {
      // The reader finds the same trouble when it reads the spool.
      progress.listingComplete();
    }
  }

  private void list() throws IOException {
    String before = null;
    try (Stream<RemoteObject> objects = store.list("")) {
      for (Iterator<RemoteObject> each = objects.iterator(); each.hasNext(); ) {
        RemoteObject object = each.next();
        requireOrder(before, object.name());
        before = object.name();
        if (takesPart(object)) {
          spool.append(object);
          progress.objectListed(object.size());
        }
        if (Thread.interrupted()) {
          throw new IngestException("the listing was interrupted");
        }
      }
    }
  }

  private boolean takesPart(RemoteObject object) {
    boolean folderMark = object.size() == 0 && object.name().endsWith("/");
    return !folderMark && !ownFiles.contains(object.name()) && filter.admits(object.name());
  }

  private void requireOrder(@Nullable String before, String name) throws IngestException {
    if (before != null && NameOrder.UTF_8.compare(before, name) >= 0) {
      throw new IngestException(
          "%s lists '%s' after '%s', out of order; list each object once, by name"
              .formatted(store.uri(), name, before));
    }
  }

  /**
   * Recognizes the digest and its unfinished parts, for users who write the digest into the folder
   * they digest.
   */
  static final class OwnFiles {
    private final String output;

    private OwnFiles(String output) {
      this.output = output;
    }

    /** Returns the own files of an output as they would be called in a store of this address. */
    static OwnFiles of(String storeUri, Path output) {
      if (!storeUri.startsWith("file:")) {
        return new OwnFiles("");
      }
      try {
        Path root = Path.of(URI.create(storeUri)).toRealPath();
        Path parent = output.toAbsolutePath().normalize().getParent();
        Path folder = parent == null ? root : parent.toRealPath();
        Path inside = root.relativize(folder.resolve(output.getFileName()));
        return new OwnFiles(folder.startsWith(root) ? inside.toString() : "");
      } catch (IOException | IllegalArgumentException e) {
        return new OwnFiles("");
      }
    }

    boolean contains(String name) {
      return !output.isEmpty() && (name.equals(output) || name.startsWith(output + ".partial/"));
    }
  }

  /** Selects objects by globs on their names. */
  static final class NameFilter {
    private record Glob(boolean wholeName, PathMatcher matcher) {
      boolean matches(Path name) {
        Path last = name.getFileName();
        return matcher.matches(wholeName || last == null ? name : last);
      }
    }

    private final List<Glob> include;
    private final List<Glob> exclude;

    NameFilter(List<String> include, List<String> exclude) {
      this.include = globs(include);
      this.exclude = globs(exclude);
    }

    boolean admits(String name) {
      if (include.isEmpty() && exclude.isEmpty()) {
        return true;
      }
      try {
        Path path = Path.of(name);
        return (include.isEmpty() || include.stream().anyMatch(glob -> glob.matches(path)))
            && exclude.stream().noneMatch(glob -> glob.matches(path));
      } catch (InvalidPathException e) {
        return include.isEmpty();
      }
    }

    private static List<Glob> globs(List<String> patterns) {
      List<Glob> globs = new ArrayList<>();
      for (String pattern : patterns) {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        globs.add(new Glob(pattern.contains("/"), matcher));
      }
      return globs;
    }
  }
}
