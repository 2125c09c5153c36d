package io.quiver.client.transport;

import io.quiver.client.transport.ExchangeException.FailureKind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.BasicHttpTransportMetrics;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;

/**
 * Speaks HTTP/1.1 over one connection: heads are parsed by HttpCore, bodies go straight to the
 * caller's buffer. One thread uses it at a time, under a deadline that the {@link Watchdog}
 * enforces by cutting it.
 */
final class HttpConnection {
  private static final int HEAD_BYTES = 8 << 10;
  private static final int MAX_INTERIM_ANSWERS = 4;
  private static final Http1Config LIMITS =
      Http1Config.custom()
          .setBufferSize(HEAD_BYTES)
          .setMaxLineLength(HEAD_BYTES)
          .setMaxHeaderCount(64)
          .setMaxEmptyLineCount(2)
          .build();

  /** The deadline of a connection that nobody uses. */
  private static final long NONE = Long.MAX_VALUE;

  /** The deadline of a connection that was cut because its deadline had passed. */
  private static final long EXPIRED = Long.MIN_VALUE;

  private final Pipe pipe;
  private final SessionInputBufferImpl buffered =
      new SessionInputBufferImpl(new BasicHttpTransportMetrics(), HEAD_BYTES, 1, HEAD_BYTES, null);
  private final DefaultHttpResponseParser parser = new DefaultHttpResponseParser(LIMITS);
  private final InputStream input = new PipeInput();
  private final AtomicLong deadline = new AtomicLong(NONE);
  private long idleSince;
  private boolean used;

  HttpConnection(Pipe pipe) {
    this.pipe = pipe;
  }

  /** Begins work that must be over at this time. */
  void begin(long deadlineNanos) {
    // The two values with a meaning of their own are given up; nobody notices a nanosecond.
    boolean special = deadlineNanos == NONE || deadlineNanos == EXPIRED;
    deadline.compareAndSet(NONE, special ? deadlineNanos - 1 : deadlineNanos);
  }

  /** Ends the work; returns true if it was in time and the connection is still usable. */
  boolean end() {
    return deadline.getAndSet(NONE) != EXPIRED;
  }

  /** Cuts the connection if its deadline has passed. */
  void cutIfLate(long now) {
    long due = deadline.get();
    if (due != NONE && due != EXPIRED && due - now < 0 && deadline.compareAndSet(due, EXPIRED)) {
      pipe.cut();
    }
  }

  boolean expired() {
    return deadline.get() == EXPIRED;
  }

  void cut() {
    pipe.cut();
  }

  void connect() throws IOException {
    pipe.connect();
  }

  /**
   * Returns true if the connection has answered before, so that the server may have closed it
   * meanwhile.
   */
  boolean used() {
    return used;
  }

  void idleSince(long now) {
    idleSince = now;
    used = true;
  }

  long idleNanos(long now) {
    return now - idleSince;
  }

  void send(ByteBuffer[] request) throws IOException {
    pipe.write(request);
  }

  /** Reads the head of an answer. */
  ResponseHead receive() throws IOException, ExchangeException {
    try {
      for (int i = 0; i < MAX_INTERIM_ANSWERS; i++) {
        ClassicHttpResponse response = parser.parse(buffered, input);
        if (response == null) {
          throw new EOFException("the server closed it without an answer");
        }
        if (response.getCode() >= 200) {
          return ResponseHead.of(response);
        }
      }
    } catch (HttpException | MessageConstraintException | IllegalArgumentException e) {
      throw new ExchangeException(FailureKind.PROTOCOL, "not an HTTP answer: " + e.getMessage(), e);
    }
    throw new ExchangeException(FailureKind.PROTOCOL, "too many interim answers", (Throwable) null);
  }

  /** Fills a buffer with the next bytes of the body. */
  void receiveBody(ByteBuffer target) throws IOException {
    takeBuffered(target);
    while (target.hasRemaining()) {
      if (pipe.read(target) < 0) {
        throw new EOFException("the answer ended " + target.remaining() + " bytes early");
      }
    }
  }

  /** Copies the bytes that the parser has read beyond the head. */
  private void takeBuffered(ByteBuffer target) throws IOException {
    int bytes = Math.min(buffered.length(), target.remaining());
    if (bytes > 0) {
      byte[] copy = new byte[bytes];
      int taken = buffered.read(copy, 0, bytes, input);
      target.put(copy, 0, taken);
    }
  }

  /** Returns true if bytes have arrived that belong to no answer. */
  boolean surplus() {
    return buffered.hasBufferedData();
  }

  /** Feeds the parser from the pipe. */
  private final class PipeInput extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return pipe.read(ByteBuffer.wrap(target, offset, length));
    }
  }

  /**
   * Tells that a connection that had worked before ended before it answered: the server had closed
   * it.
   */
  static final class StaleConnectionException extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    StaleConnectionException(IOException cause) {
      super(cause);
    }
  }
}
