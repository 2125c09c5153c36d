package io.quiver.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The payload of an answer whose length is known and whose bytes come piece by piece. The peer's
 * time runs only while something is being sent: a slow store does not count against a fast reader.
 *
 * <p>A handler that fails before the last byte throws, and the connection ends: the client sees a
 * body that is too short, never wrong bytes.
 */
public final class StreamedAnswer {
  private final AnswerWriter out;
  private final RequestTimeouts timeouts;
  private long leftBytes;

  StreamedAnswer(AnswerWriter out, RequestTimeouts timeouts, long length) {
    this.out = out;
    this.timeouts = timeouts;
    this.leftBytes = length;
    timeouts.pause();
  }

  /** Sends a piece and returns when the buffer may be used for something else. */
  public void send(ByteBuffer piece) throws IOException {
    leftBytes -= piece.remaining();
    if (leftBytes < 0) {
      throw new IOException("the payload is longer than its head said");
    }
    timeouts.resume(RequestTimeouts.Phase.SENDING);
    out.append(piece);
    out.flush();
    timeouts.pause();
  }

  /**
   * Ends the answer.
   *
   * @throws IOException if the payload is shorter than its head said
   */
  public void end() throws IOException {
    if (leftBytes != 0) {
      throw new IOException("the payload lacks " + leftBytes + " bytes");
    }
    timeouts.resume(RequestTimeouts.Phase.SENDING);
    out.flush();
  }
}
