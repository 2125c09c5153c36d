package io.quiver.gateway.door;

import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.util.Map;

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

  /** Returns all details of one object, with its content type and the user's metadata. */
  ObjectDetails details(String name) throws IOException;

  /**
   * Returns an object's size, version and time of change. A listing that has shown the object is
   * enough for that, so a walk over a folder costs its listing only.
   */
  default RemoteObject stat(String name) throws IOException {
    return details(name).object();
  }

  /** Returns one page of a listing. */
  ListingPage list(ListingRequest request) throws IOException;

  /** Opens one object for reading at its version of now. The caller closes the handle. */
  default OpenObject open(String name) throws IOException {
    return open(details(name));
  }

  /** Opens one object for reading at a version that the caller knows. */
  OpenObject open(ObjectDetails details) throws IOException;

  /** Opens one object for reading at a version that {@link #stat} or a listing gave. */
  default OpenObject open(RemoteObject object) throws IOException {
    return open(new ObjectDetails(object, "", Map.of()));
  }

  /** Forgets details and listings that a write through this door has changed. */
  void forget(String name);

  /** Returns the counters of this door. */
  DoorStatistics statistics();

  /** Ends reads under way and frees the door's memory. */
  @Override
  void close();
}
