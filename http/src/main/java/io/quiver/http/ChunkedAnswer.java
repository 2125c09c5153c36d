package io.quiver.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * The body of an answer whose length is not known when it begins. Bytes are gathered and leave as
 * chunks; a client of HTTP/1.0, which knows no chunks, gets them as they are until the connection
 * closes. The peer's time runs only while something is being sent.
 *
 * <p>Only {@link #close} ends the body properly: if a handler fails before, the client sees that
 * the answer breaks off.
 */
public final class ChunkedAnswer extends OutputStream {
  private static final int CHUNK_BYTES = 16 << 10;
  private static final byte[] LINE_END = {'\r', '\n'};
  private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final AnswerWriter out;
  private final RequestTimeouts timeouts;
  private final boolean chunks;
  private final boolean silent;
  private final LongConsumer sent;
  private final ByteBuffer gathered = ByteBuffer.allocate(CHUNK_BYTES);
  private boolean ended;

  ChunkedAnswer(
      AnswerWriter out,
      RequestTimeouts timeouts,
      boolean chunks,
      boolean silent,
      LongConsumer sent) {
    this.out = out;
    this.timeouts = timeouts;
    this.chunks = chunks;
    this.silent = silent;
    this.sent = sent;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (ended) {
      throw new IOException("the answer has ended");
    }
    int at = offset;
    int end = offset + length;
    while (at < end) {
      int step = Math.min(end - at, gathered.remaining());
      gathered.put(bytes, at, step);
      at += step;
      if (!gathered.hasRemaining()) {
        flush();
      }
    }
  }

  /** Sends what was gathered. */
  @Override
  public void flush() throws IOException {
    append();
    send();
  }

  private void append() throws IOException {
    int length = gathered.position();
    if (length > 0 && !silent) {
      byte[] size = (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
      if (chunks) {
        out.append(ByteBuffer.wrap(size));
      }
      out.append(ByteBuffer.wrap(gathered.array(), 0, length));
      if (chunks) {
        out.append(ByteBuffer.wrap(LINE_END));
      }
      sent.accept(length);
    }
    gathered.clear();
  }

  private void send() throws IOException {
    timeouts.begin(RequestTimeouts.Phase.SENDING);
    out.flush();
    timeouts.begin(RequestTimeouts.Phase.WORKING);
  }

  /** Ends the body. */
  @Override
  public void close() throws IOException {
    if (!ended) {
      ended = true;
      append();
      if (chunks && !silent) {
        out.append(ByteBuffer.wrap(LAST_CHUNK));
      }
      send();
    }
  }
}
