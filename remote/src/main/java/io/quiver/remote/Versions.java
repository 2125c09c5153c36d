package io.quiver.remote;

import java.io.IOException;

/** Compares versions of objects, in the same way for every kind of store. */
public final class Versions {
  private Versions() {}

  /**
   * Returns an entity tag in quotes. Some services put quotes around it in one answer and not in
   * the next; a version must not depend on that.
   */
  public static String quoted(String tag) {
    return tag.isEmpty() || tag.endsWith("\"") ? tag : '"' + tag + '"';
  }

  /**
   * Refuses an object without a version: nothing could tell whether it has changed.
   *
   * @throws IOException if the store gave the object no version
   */
  public static void require(RemoteObject object, String uri) throws IOException {
    if (object.version().isEmpty()) {
      throw new IOException(
          uri
              + " gives '"
              + object.name()
              + "' no version (an ETag or a time of change), so that a change could not be noticed;"
              + " let the server send one, or read the object by its name alone");
    }
  }

  /**
   * Checks that an object is what it was.
   *
   * @throws ChangedObjectException if version or size differ
   */
  public static void requireSame(RemoteObject expected, RemoteObject actual)
      throws ChangedObjectException {
    if (!expected.version().equals(actual.version()) || expected.size() != actual.size()) {
      throw new ChangedObjectException(expected.name());
    }
  }
}
