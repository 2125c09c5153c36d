package io.quiver.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.impl.io.ContentLengthInputStream;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one request after another from a connection: the head through HttpCore, then where its body
 * begins and ends. Whatever leaves that in doubt closes the connection, so that no byte of one
 * request is ever taken for the next.
 */
final class RequestReader {
  private static final int BUFFER_BYTES = 8 << 10;

  /** Heads beyond this length are rare, and only so many may be held at once. */
  private static final int LARGE_HEAD = 4 << 10;

  private final Transport transport;
  private final RequestTimeouts timeouts;
  private final Semaphore largeHeads;
  private final HeadBuffer buffer = new HeadBuffer();
  private final RequestHeadParser parser = new RequestHeadParser();

  /**
   * Makes a reader.
   *
   * @param largeHeads how many large heads all connections may still hold
   */
  RequestReader(Transport transport, RequestTimeouts timeouts, Semaphore largeHeads) {
    this.transport = transport;
    this.timeouts = timeouts;
    this.largeHeads = largeHeads;
  }

  /** Waits for the first byte of a request; returns false if the peer has no more. */
  boolean await() throws IOException {
    if (buffer.hasBufferedData()) {
      return true;
    }
    timeouts.begin(RequestTimeouts.Phase.IDLE);
    return buffer.fillBuffer(transport.input()) > 0;
  }

  /** Returns the head of the next request, or null if the peer has no more. */
  @Nullable ClassicHttpRequest head() throws IOException, Refusal {
    timeouts.begin(RequestTimeouts.Phase.HEAD);
    buffer.headBytes = 0;
    ClassicHttpRequest head;
    try {
      head = parser.parse(buffer, transport.input());
    } catch (TooManyLargeHeads e) {
      throw Refusal.of(
              503,
              "too many heads of more than " + LARGE_HEAD + " bytes are arriving",
              "send fewer or shorter header fields",
              "Retry-After",
              "1")
          .closing();
    } finally {
      buffer.endHead();
    }
    timeouts.begin(RequestTimeouts.Phase.WORKING);
    return head;
  }

  /** Returns the body that follows a head. */
  RequestBody body(
      ClassicHttpRequest head, String caller, RequestBody.ContinueSender continueSender)
      throws Refusal {
    long length = length(head);
    InputStream input = transport.input();
    InputStream stream =
        length == 0
            ? new ByteArrayInputStream(new byte[0])
            : length > 0
                ? new ContentLengthInputStream(buffer, input, length)
                : new ChunkedInputStream(buffer, input, RequestHeadParser.LIMITS);
    return new RequestBody(
        stream,
        length,
        caller,
        timeouts,
        this::direct,
        expected(head, length) ? continueSender : null);
  }

  /** Receives straight into a buffer once nothing is left of what was read with the head. */
  private int direct(ByteBuffer target) throws IOException {
    return buffer.hasBufferedData() ? 0 : transport.readDirectly(target);
  }

  /** Returns true if the client understands an answer in chunks. */
  static boolean knowsChunks(ClassicHttpRequest head) {
    return version(head).greaterEquals(HttpVersion.HTTP_1_1);
  }

  /** Returns true if the connection ends after this request. */
  static boolean last(ClassicHttpRequest head) {
    for (Header field : head.getHeaders("Connection")) {
      String value = field.getValue() == null ? "" : field.getValue();
      if (value.toLowerCase(java.util.Locale.ROOT).contains("close")) {
        return true;
      }
    }
    return !knowsChunks(head);
  }

  /** Refuses what HTTP/1.1 says a server must refuse. */
  static void check(ClassicHttpRequest head) throws Refusal {
    if (version(head).getMajor() != 1) {
      throw Refusal.of(505, "only HTTP/1.0 and HTTP/1.1 are spoken here", "use HTTP/1.1").closing();
    }
    if (version(head).greaterEquals(HttpVersion.HTTP_1_1) && head.countHeaders("Host") != 1) {
      throw Refusal.of(400, "a request must have one Host field", "send Host once").closing();
    }
  }

  private static long length(ClassicHttpRequest head) throws Refusal {
    int codings = head.countHeaders("Transfer-Encoding");
    int lengths = head.countHeaders("Content-Length");
    if (codings + lengths > 1) {
      throw Refusal.of(
              400,
              "the length of the body is given more than once",
              "send Content-Length or Transfer-Encoding: chunked, once")
          .closing();
    }
    if (codings == 1) {
      if (!"chunked".equalsIgnoreCase(head.getFirstHeader("Transfer-Encoding").getValue())) {
        throw Refusal.of(501, "only the chunked transfer coding is known", "send chunked")
            .closing();
      }
      return -1;
    }
    return lengths == 1 ? number(head.getFirstHeader("Content-Length").getValue()) : 0;
  }

  private static long number(@Nullable String text) throws Refusal {
    if (text == null || text.isEmpty() || text.length() > 18 || !digits(text)) {
      throw Refusal.of(400, "Content-Length is not a number of bytes", "send it as decimal digits")
          .closing();
    }
    return Long.parseLong(text);
  }

  private static boolean digits(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static boolean expected(ClassicHttpRequest head, long length) throws Refusal {
    Header expect = head.getFirstHeader("Expect");
    if (expect == null) {
      return false;
    }
    if (!"100-continue".equalsIgnoreCase(expect.getValue())) {
      throw Refusal.of(417, "an expectation that is not known here", "expect 100-continue only")
          .closing();
    }
    return length != 0 && version(head).greaterEquals(HttpVersion.HTTP_1_1);
  }

  private static ProtocolVersion version(ClassicHttpRequest head) {
    ProtocolVersion version = head.getVersion();
    return version == null ? HttpVersion.HTTP_1_1 : version;
  }

  /** Ends the parsing of a head for which there is no memory. */
  private static final class TooManyLargeHeads extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** Bounds a head as a whole, where HttpCore bounds lines and their number only. */
  private final class HeadBuffer extends SessionInputBufferImpl {
    /** Bytes of the present head so far; negative outside of heads. */
    private int headBytes = -1;

    private boolean large;

    HeadBuffer() {
      super(BUFFER_BYTES, RequestHeadParser.MAX_LINE);
    }

    @Override
    public int readLine(CharArrayBuffer line, InputStream input) throws IOException {
      int before = line.length();
      int result = super.readLine(line, input);
      if (headBytes >= 0) {
        headBytes += line.length() - before;
        if (headBytes > RequestHeadParser.MAX_HEAD) {
          throw new MessageConstraintException("the head is too large");
        }
        if (headBytes > LARGE_HEAD && !large) {
          large = largeHeads.tryAcquire();
          if (!large) {
            throw new TooManyLargeHeads();
          }
        }
      }
      return result;
    }

    void endHead() {
      headBytes = -1;
      if (large) {
        large = false;
        largeHeads.release();
      }
    }
  }
}
