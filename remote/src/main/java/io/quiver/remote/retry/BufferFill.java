package io.quiver.remote.retry;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Moves a stream's bytes into a buffer, straight into its array where it has one. */
final class BufferFill {
  private static final int COPY_BUFFER = 64 * 1024;

  private BufferFill() {}

  /** Reads until the buffer is full; false if the stream ended before. */
  static boolean fill(InputStream stream, ByteBuffer target) throws IOException {
    return target.hasArray() ? fillArray(stream, target) : fillByCopy(stream, target);
  }

  private static boolean fillArray(InputStream stream, ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      int start = target.arrayOffset() + target.position();
      int count = stream.read(target.array(), start, target.remaining());
      if (count < 0) {
        return false;
      }
      target.position(target.position() + count);
    }
    return true;
  }

  private static boolean fillByCopy(InputStream stream, ByteBuffer target) throws IOException {
    byte[] copy = new byte[Math.min(COPY_BUFFER, target.remaining())];
    while (target.hasRemaining()) {
      int count = stream.read(copy, 0, Math.min(copy.length, target.remaining()));
      if (count < 0) {
        return false;
      }
      target.put(copy, 0, count);
    }
    return true;
  }
}
