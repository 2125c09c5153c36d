package io.quiver.gateway.door;

import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import java.io.IOException;

/**
 * Reads the objects of one store through the cache, for programs that know neither.
 *
 * <p>Names are paths below the store's root, as in {@link io.quiver.remote.RemoteStore}. Details
 * and listings may be as old as the freshness window; bytes are always those of one version. A
 * cache that is slow, full or gone costs speed, never an answer: the door then reads from the
 * store. Failures are those of the store: {@link java.nio.file.NoSuchFileException}, {@link
 * java.nio.file.AccessDeniedException}, {@link io.quiver.remote.ChangedObjectException}, any other
 * {@link IOException} for trouble that may pass. Safe for use by many threads.
 */
public interface Door extends AutoCloseable {

  /** Returns what is known of one object. */
  ObjectDetails details(String name) throws IOException;

  /** Returns one page of a listing. */
  ListingPage list(ListingRequest request) throws IOException;

  /** Opens one object for reading at its version of now. The caller closes the handle. */
  default OpenObject open(String name) throws IOException {
    return open(details(name));
  }

  /** Opens one object for reading at a version that the caller knows. */
  OpenObject open(ObjectDetails details) throws IOException;

  /** Forgets details and listings that a write through this door has changed. */
  void forget(String name);

  /** Returns the counters of this door. */
  DoorStatistics statistics();

  /** Ends reads under way and frees the door's memory. */
  @Override
  void close();
}
