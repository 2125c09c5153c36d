package io.quiver.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.jspecify.annotations.Nullable;

/**
 * Receives the body of one request. The first read lets a client that waits for {@code 100
 * Continue} go on; a request refused before that never sends its body.
 */
public final class RequestBody {
  /** Sends {@code 100 Continue}. */
  interface ContinueSender {
    void send() throws IOException;
  }

  /** Receives straight from the connection, past the stream. */
  interface DirectReader {
    /** Returns how many bytes came, 0 if the next come by the stream, or -1 at the end. */
    int read(ByteBuffer target) throws IOException;
  }

  /** An unread rest of a body up to this length is read to keep the connection. */
  private static final long DRAIN_BYTES = 256 << 10;

  private final InputStream stream;
  private final long length;
  private final String caller;
  private final RequestTimeouts timeouts;
  private final DirectReader directReader;
  private @Nullable ContinueSender continueSender;
  private long limit = Long.MAX_VALUE;
  private long received;
  private boolean ended;

  RequestBody(
      InputStream stream,
      long length,
      String caller,
      RequestTimeouts timeouts,
      DirectReader directReader,
      @Nullable ContinueSender continueSender) {
    this.stream = stream;
    this.length = length;
    this.caller = caller;
    this.timeouts = timeouts;
    this.directReader = directReader;
    this.continueSender = continueSender;
    this.ended = length == 0;
  }

  /**
   * Bounds the length: a longer body is refused as soon as that is known. A body sent to a call
   * that takes none is not read by its handler, and is skipped.
   */
  void limit(long bytes) throws Refusal {
    if (bytes > 0) {
      limit = bytes;
      requireWithinLimit();
    }
  }

  /** Refuses a body that is longer than the call allows. */
  void requireWithinLimit() throws Refusal {
    if (Math.max(length, received) > limit) {
      throw Refusal.of(
              413,
              "the body of this call may have " + limit + " bytes at most",
              "send less at once")
          .closing();
    }
  }

  /** Returns where the request comes from; one caller may have many connections. */
  public String caller() {
    return caller;
  }

  /** Returns the announced length, or -1 for a chunked body. */
  public long length() {
    return length;
  }

  /** Returns the bytes received so far. */
  public long received() {
    return received;
  }

  /** Fills the range of the array; a body that ends before is refused. */
  public void readFully(byte[] target, int offset, int count) throws IOException, Refusal {
    int at = 0;
    while (at < count) {
      int step = read(target, offset + at, count - at);
      if (step < 0) {
        throw endsInside();
      }
      at += step;
    }
  }

  /** Returns the refusal of a body that ends before what it holds is whole. */
  Refusal endsInside() {
    return Refusal.of(
            400,
            "the body ends after " + received + " bytes, inside what it announces",
            "send as many bytes as are announced")
        .closing();
  }

  /**
   * Fills the buffer from its position to its limit: straight from the connection where that is
   * possible, else in pieces of the scratch array.
   */
  public void readFully(ByteBuffer target, byte[] scratch) throws IOException, Refusal {
    while (target.hasRemaining()) {
      if (readDirectly(target) > 0) {
        continue;
      }
      int step = read(scratch, 0, Math.min(target.remaining(), scratch.length));
      if (step < 0) {
        throw endsInside();
      }
      target.put(scratch, 0, step);
    }
  }

  /** Returns zero if the next bytes come by the stream; those of a chunked body always do. */
  private int readDirectly(ByteBuffer target) throws IOException, Refusal {
    if (continueSender != null || target.remaining() > length - received) {
      return 0;
    }
    timeouts.resume(RequestTimeouts.Phase.RECEIVING);
    try {
      int step = directReader.read(target);
      if (step < 0) {
        throw broken();
      }
      received += step;
      ended = received == length;
      return step;
    } finally {
      timeouts.pause();
    }
  }

  /** Reads some bytes, or returns -1 at the end. */
  public int read(byte[] target, int offset, int count) throws IOException, Refusal {
    if (ended) {
      return -1;
    }
    if (continueSender != null) {
      continueSender.send();
      continueSender = null;
    }
    timeouts.resume(RequestTimeouts.Phase.RECEIVING);
    try {
      return step(target, offset, count);
    } finally {
      timeouts.pause();
    }
  }

  private int step(byte[] target, int offset, int count) throws IOException, Refusal {
    try {
      // Bytes received past the stream are not known to the stream: it must not run past the end.
      long left = length < 0 ? count : length - received;
      int step = stream.read(target, offset, (int) Math.min(count, left));
      if (step < 0) {
        ended = true;
      } else {
        received += step;
        ended = received == length;
        requireWithinLimit();
      }
      return step;
    } catch (MalformedChunkCodingException | MessageConstraintException e) {
      throw Refusal.of(400, "the chunked body is malformed", "send valid chunks").closing();
    } catch (ConnectionClosedException e) {
      throw broken();
    }
  }

  private Refusal broken() {
    return Refusal.of(
            400,
            "the connection ends after " + received + " bytes of the body",
            "send the whole body")
        .closing();
  }

  /** Returns true if everything was read, so that the next request begins here. */
  boolean exhausted() {
    return ended;
  }

  /**
   * Returns true if the rest cannot or should not be read after the answer: the peer was never told
   * to send it, or it is long.
   */
  boolean leftBehind() {
    return continueSender != null || length - received > DRAIN_BYTES;
  }

  /** Reads and forgets a short rest; returns true if the end was reached. */
  boolean drain() throws IOException {
    byte[] scratch = new byte[8 << 10];
    long drained = 0;
    try {
      while (!ended && drained <= DRAIN_BYTES) {
        drained += Math.max(0, read(scratch, 0, scratch.length));
      }
      return ended;
    } catch (Refusal e) {
      return false;
    }
  }
}
