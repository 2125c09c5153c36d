package io.quiver.remote;

import java.io.IOException;
import java.io.InputStream;

/**
 * The details of an object and the first bytes of the same version.
 *
 * @param details the object at the version the bytes belong to
 * @param bytes the bytes from the object's beginning on
 */
public record FirstBytes(ObjectDetails details, InputStream bytes) implements AutoCloseable {
  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
