package io.quiver.remote;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.stream.Stream;

/**
 * Objects in the user's own storage, read with the user's own credentials.
 *
 * <p>An object's name is its path below the root the store was opened at, with {@code /} between
 * parts and none in front. Every call has a deadline and a bounded number of retries; what still
 * fails is an {@link IOException} that names the object and what to do. A missing object is a
 * {@link java.nio.file.NoSuchFileException}, a forbidden one an {@link
 * java.nio.file.AccessDeniedException}; neither is retried. Safe for use by many threads.
 */
public interface RemoteStore extends AutoCloseable {

  /**
   * Returns every object whose name begins with the prefix, ordered by the UTF-8 bytes of their
   * names. Empty objects whose name ends in a slash are left out: consoles write them to make
   * folders show.
   *
   * <p>Pages are fetched while the stream is read, so memory stays bounded. The caller closes the
   * stream. Trouble in the middle surfaces as an {@link java.io.UncheckedIOException}.
   */
  Stream<RemoteObject> list(String prefix) throws IOException;

  /** Returns one object's size and version. */
  RemoteObject stat(String name) throws IOException;

  /**
   * Returns one page of a listing. Costs no more than the page and, where the store groups names
   * itself, nothing for the names inside groups.
   *
   * <p>A page may hold fewer entries than asked for, even none; the listing has ended where there
   * is no token for a next page. Unlike {@link #list}, a page shows the empty objects that mark
   * folders: their names end in a slash. A service with another order than that of UTF-8 bytes
   * keeps its own from page to page.
   */
  ListingPage page(ListingRequest request) throws IOException;

  /** Returns one object's size, version, time of change, content type and metadata. */
  ObjectDetails details(String name) throws IOException;

  /**
   * Opens the version that an object has now, in one request where the store can: details and the
   * first bytes come together. The caller closes the answer.
   *
   * @param most the most bytes to read; fewer come where the object is shorter
   */
  FirstBytes first(String name, long most) throws IOException;

  /**
   * Fills the target with bytes of exactly this version of an object. An empty target only checks
   * that the object still has this version.
   *
   * @param object as a listing or {@link #details} gave it; its version is not empty
   * @throws java.io.EOFException if the object ends before the target is full
   * @throws ChangedObjectException if the object has another version now; bytes of two versions are
   *     never mixed
   */
  void read(RemoteObject object, long offset, ByteBuffer target) throws IOException;

  /**
   * Returns bytes of exactly this version of an object as a stream. The caller closes it.
   *
   * @param length how many bytes, or a negative number for all up to the end
   * @throws java.io.EOFException if the offset is past the object's end
   * @throws ChangedObjectException here or from the stream, if the object has another version now
   */
  InputStream open(RemoteObject object, long offset, long length) throws IOException;

  /**
   * Fills the target with the object's bytes from an offset on. An empty target only checks that
   * the object is there and reaches to the offset.
   *
   * @throws java.io.EOFException if the object ends before the target is full
   * @throws ChangedObjectException if the object is replaced meanwhile
   */
  void read(String name, long offset, ByteBuffer target) throws IOException;

  /**
   * Returns the bytes of a range as a stream, for objects too large to hold. The caller closes it.
   * A connection lost in the middle is resumed where it broke. The stream ends early only where the
   * object does.
   *
   * @param length how many bytes, or a negative number for all up to the end
   * @throws java.io.EOFException if the offset is past the object's end
   * @throws ChangedObjectException from the stream, if the object is replaced meanwhile
   */
  InputStream open(String name, long offset, long length) throws IOException;

  /** Returns the address of this store's root in the form it was opened with, without secrets. */
  String uri();

  @Override
  void close();
}
