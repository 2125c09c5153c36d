package io.quiver.remote.retry;

import io.quiver.remote.ObjectDetails;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Reads the bytes of one request, with the checks every service needs. */
public final class ObjectBody implements AutoCloseable {
  private final InputStream stream;
  private final Runnable abort;
  private final ObjectDetails details;
  private long left;
  private boolean drained;

  /**
   * @param stream the bytes
   * @param length the number of bytes the service announced
   * @param details of the whole object, at the version the bytes belong to
   * @param abort drops the connection without reading the rest
   */
  public ObjectBody(InputStream stream, long length, ObjectDetails details, Runnable abort) {
    this.stream = stream;
    this.left = length;
    this.details = details;
    this.abort = abort;
  }

  /** Returns the body of an object read at its very end. */
  static ObjectBody empty(ObjectDetails details) {
    return new ObjectBody(InputStream.nullInputStream(), 0, details, () -> {});
  }

  /** Returns the details of the object at the version the bytes belong to. */
  public ObjectDetails details() {
    return details;
  }

  /** Reads some bytes, or returns -1 when all announced bytes have been read. */
  int read(byte[] bytes, int offset, int length) throws TransientFailure {
    if (left == 0) {
      return -1;
    }
    int count = attempt(bytes, offset, (int) Math.min(length, left));
    if (count < 0) {
      throw new TransientFailure("the connection ended " + left + " bytes early", Duration.ZERO);
    }
    left -= count;
    return count;
  }

  private int attempt(byte[] bytes, int offset, int length) throws TransientFailure {
    try {
      return stream.read(bytes, offset, length);
    } catch (IOException | RuntimeException failure) {
      throw new TransientFailure("the connection broke: " + failure.getMessage(), failure);
    }
  }

  /** Returns the connection for reuse if possible, else drops it. */
  @Override
  public void close() {
    try {
      if (left == 0 && !drained && stream.read() < 0) {
        drained = true;
        stream.close();
        return;
      }
    } catch (IOException | RuntimeException failure) {
      // Everything asked for has been delivered: how the connection ends is of no interest.
      drained = false;
    }
    if (!drained) {
      abort.run();
    }
  }

  /** Drops the connection; safe to call from another thread than the reader's. */
  void abort() {
    abort.run();
  }
}
