package io.quiver.remote.retry;

import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import java.io.IOException;

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

  /**
   * Returns one page of a listing, in the service's order. Entries up to the start may be among
   * them; the store above drops them.
   */
  ListingPage page(ListingRequest request) throws IOException;

  /**
   * Returns the number of objects to hold back to order listings by UTF-8 bytes; 1 where the
   * service lists in that order.
   */
  int listingWindow();

  /** Returns one object's size, version, time of change, content type and metadata. */
  ObjectDetails details(String name) throws IOException;

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
}
