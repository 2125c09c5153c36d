package io.quiver.remote.ingest;

import io.quiver.remote.NameOrder;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
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
    this.filter = new NameFilter(options.include(), options.exclude());
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
}
