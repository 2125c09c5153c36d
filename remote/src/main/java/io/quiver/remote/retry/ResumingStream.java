package io.quiver.remote.retry;

import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.Versions;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of one object through as many requests as it takes.
 *
 * <p>When a request breaks, the next one begins at the first byte not yet given and insists on the
 * version the first one saw, so that the bytes always belong to one object. Used by one thread.
 */
final class ResumingStream extends InputStream {

  /** Opens and releases requests; the store counts and limits them. */
  interface Bodies {
    ObjectBody open(String name, long offset, long length, String version) throws IOException;

    void release(ObjectBody body);
  }

  private final String name;
  private final Bodies bodies;
  private final Retries.Session session;
  private final boolean unhurried;
  private long position;
  private long end;
  private @Nullable RemoteObject expected;
  private @Nullable ObjectDetails details;
  private @Nullable ObjectBody body;
  private boolean closed;

  /**
   * @param length how many bytes are wanted; negative for all
   * @param unhurried whether each read has a deadline of its own, rather than all together
   */
  ResumingStream(
      String name,
      long offset,
      long length,
      Retries.Session session,
      boolean unhurried,
      Bodies bodies) {
    this.name = name;
    this.position = offset;
    this.end = length < 0 || length > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + length;
    this.session = session;
    this.unhurried = unhurried;
    this.bodies = bodies;
  }

  /** Insists on a version from the first request on. */
  ResumingStream ofVersion(RemoteObject object) {
    expected = object;
    end = Math.min(end, object.size());
    return this;
  }

  /** Returns the details that the first request brought. */
  ObjectDetails details() {
    return Objects.requireNonNull(details, "the stream has not begun");
  }

  /** Makes the first request, so that a missing object shows at once. */
  ResumingStream begin() throws IOException {
    if (body == null && position < end) {
      session.run(this::request);
    }
    return this;
  }

  /** Returns the position in the object. */
  long position() {
    return position;
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (closed) {
      throw new IOException("the stream of '" + name + "' is closed");
    }
    if (unhurried) {
      session.renew();
    }
    int count = 0;
    while (count <= 0 && length > 0) {
      if (position >= end) {
        return -1;
      }
      session.checkDeadline();
      count = begin().readBody(bytes, offset, (int) Math.min(length, end - position));
    }
    position += count;
    return count;
  }

  @Override
  public void close() {
    closed = true;
    dropBody();
  }

  /** Reads from the request under way; returns 0 or less when another one is needed. */
  private int readBody(byte[] bytes, int offset, int length) throws IOException {
    ObjectBody current = body;
    if (current == null) {
      return 0;
    }
    try {
      int count = current.read(bytes, offset, length);
      if (count < 0 || position + count >= end) {
        dropBody();
      }
      return count;
    } catch (TransientFailure failure) {
      dropBody();
      session.failed(failure);
      return 0;
    }
  }

  private ObjectBody request() throws IOException {
    long wanted = end == Long.MAX_VALUE ? -1 : end - position;
    ObjectBody opened =
        bodies.open(name, position, wanted, expected == null ? "" : expected.version());
    body = opened;
    RemoteObject object = opened.details().object();
    if (expected != null) {
      requireSame(expected, object);
    }
    expected = object;
    details = opened.details();
    end = Math.min(end, object.size());
    return opened;
  }

  private void requireSame(RemoteObject before, RemoteObject now) throws ChangedObjectException {
    try {
      Versions.requireSame(before, now);
    } catch (ChangedObjectException changed) {
      dropBody();
      throw changed;
    }
  }

  private void dropBody() {
    ObjectBody current = body;
    if (current != null) {
      body = null;
      bodies.release(current);
    }
  }
}
