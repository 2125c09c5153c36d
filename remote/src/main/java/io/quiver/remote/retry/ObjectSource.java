package io.quiver.remote.retry;

import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Single attempts at a service: what each kind of service has to supply. Retries, resumption,
 * deadlines and limits are added once, by {@link RetryingStore}.
 *
 * <p>Failures: {@link java.nio.file.NoSuchFileException}, {@link
 * java.nio.file.AccessDeniedException}, {@link ChangedObjectException}, {@link
 * java.io.EOFException} for an offset the object does not have, {@link TransientFailure} for what
 * may pass; any other {@link IOException} is final.
 */
public interface ObjectSource extends AutoCloseable {

  /** One part of the listing of all names that begin with the prefix. */
  Page list(String prefix, @Nullable String token) throws IOException;

  /**
   * How many objects have to be held back to bring listings into the order of UTF-8 bytes; 1 where
   * the service lists in that order.
   */
  int listingWindow();

  /** One object's size and version. */
  RemoteObject stat(String name) throws IOException;

  /**
   * Bytes from an offset on. The service may send fewer than asked, but at least one.
   *
   * @param length positive, or negative for all up to the end
   * @param version what the object's version must still be; empty for any
   */
  Body open(String name, long offset, long length, String version) throws IOException;

  /** The address of the root, without secrets. */
  String uri();

  /** Ends the requests under way. */
  @Override
  void close();
}
