package io.quiver.remote.retry;

import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes single attempts at one kind of service. Retries, resumption, deadlines and limits are added
 * once, by {@link RetryingStore}.
 *
 * <p>Failures: {@link java.nio.file.NoSuchFileException}, {@link
 * java.nio.file.AccessDeniedException}, {@link ChangedObjectException}, {@link
 * java.io.EOFException} for an offset the object does not have, {@link TransientFailure} for what
 * may pass; any other {@link IOException} is final.
 */
public interface ObjectSource extends AutoCloseable {

  /** Returns one part of the listing of all names that begin with the prefix. */
  Page list(String prefix, @Nullable String token) throws IOException;

  /**
   * Returns the number of objects to hold back to order listings by UTF-8 bytes; 1 where the
   * service lists in that order.
   */
  int listingWindow();

  /** Returns one object's size and version. */
  RemoteObject stat(String name) throws IOException;

  /**
   * Opens the bytes from an offset on. The service may send fewer than asked, but at least one.
   *
   * @param length positive, or negative for all up to the end
   * @param version what the object's version must still be; empty for any
   */
  ObjectBody open(String name, long offset, long length, String version) throws IOException;

  /** Returns the address of the root, without secrets. */
  String uri();

  /** Ends the requests under way. */
  @Override
  void close();

  /**
   * A page of a listing.
   *
   * @param objects in the service's order
   * @param next what to ask for the part after it; null at the end
   */
  public record Page(List<RemoteObject> objects, @Nullable String next) {}
}
