package io.quiver.client.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The body of one answer, to be read once, in order. */
public final class Body {
  private final HttpConnection connection;
  private long left;

  Body(HttpConnection connection, long bytes) {
    this.connection = connection;
    this.left = bytes;
  }

  /** Bytes that were not read yet. */
  public long left() {
    return left;
  }

  /** Fills a buffer, which must not be longer than what is left. */
  public void fill(ByteBuffer target) throws IOException {
    int bytes = target.remaining();
    if (bytes > left) {
      throw new IllegalArgumentException("asked for " + bytes + " bytes of " + left);
    }
    connection.receiveBody(target);
    left -= bytes;
  }
}
