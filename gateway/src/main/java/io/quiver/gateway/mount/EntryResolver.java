package io.quiver.gateway.mount;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.mount.EntryCache.Known;
import io.quiver.remote.ListingRequest;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Finds out if a path is a file, a folder, or nothing. A path that is both is a folder: otherwise
 * everything in it would be out of reach.
 */
final class EntryResolver {
  private final Door door;
  private final EntryCache cache;

  EntryResolver(Door door, EntryCache cache) {
    this.door = door;
    this.cache = cache;
  }

  /** Returns what a path leads to, or null if it leads nowhere. */
  @Nullable Known resolve(String path) throws IOException {
    Known known = cache.get(path);
    if (known == null) {
      long until = cache.until();
      Resolved found = ask(path);
      if (found == null) {
        return null;
      }
      known = new Known(found, until);
      cache.put(path, known);
    }
    return known;
  }

  /** Asks for the object and for the folder at a time: a store far away is asked once. */
  private @Nullable Resolved ask(String path) throws IOException {
    FutureTask<Boolean> folder = new FutureTask<>((Callable<Boolean>) () -> isFolder(path));
    Thread.ofVirtual().name("folder").start(folder);
    Resolved.@Nullable File file = null;
    @Nullable AccessDeniedException denied = null;
    try {
      file = new Resolved.File(door.stat(path));
    } catch (NoSuchFileException missing) {
      file = null;
    } catch (AccessDeniedException refused) {
      // S3 answers so for a missing object if listing is not allowed, and for some folders.
      denied = refused;
    }
    if (await(folder, file != null || denied != null)) {
      return Resolved.FOLDER;
    }
    if (denied != null) {
      throw denied;
    }
    return file;
  }

  private boolean isFolder(String path) throws IOException {
    var page = door.list(new ListingRequest(path + "/", "/", "", null, 1));
    return !page.objects().isEmpty() || !page.groups().isEmpty();
  }

  /**
   * @param tolerant true if a refused listing counts as an empty one: the object is known
   */
  private static boolean await(FutureTask<Boolean> folder, boolean tolerant) throws IOException {
    try {
      return folder.get();
    } catch (ExecutionException failure) {
      Throwable cause = failure.getCause();
      boolean nothing =
          cause instanceof NoSuchFileException || cause instanceof UnsupportedOperationException;
      if (nothing || (tolerant && cause instanceof AccessDeniedException)) {
        return false;
      }
      if (cause instanceof IOException trouble) {
        throw trouble;
      }
      throw new IOException("a listing failed: " + cause, failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for a listing", interrupted);
    }
  }
}
