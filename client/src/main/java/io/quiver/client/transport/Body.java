package io.quiver.client.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads the body of one answer once, in order. */
public final class Body {
  private final HttpConnection connection;
  private long left;

  Body(HttpConnection connection, long bytes) {
    this.connection = connection;
    this.left = bytes;
  }

  /** Returns the number of bytes not read yet. */
  public long left() {
    return left;
  }

  /** Fills a buffer, which must not be longer than the rest of the body. */
  public void fill(ByteBuffer target) throws IOException {
    int bytes = target.remaining();
    if (bytes > left) {
      throw new IllegalArgumentException("asked for " + bytes + " bytes of " + left);
    }
    connection.receiveBody(target);
    left -= bytes;
  }
}
