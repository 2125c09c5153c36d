package io.quiver.http;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.RequestHeaderFieldsTooLargeException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

/** Parses heads of requests by HttpCore, and turns its complaints into the right status. */
final class RequestHeadParser {
  /** Longest request line and longest header line. */
  static final int MAX_LINE = 8 << 10;

  /** Longest head. */
  static final int MAX_HEAD = 32 << 10;

  /** Most header fields. */
  static final int MAX_FIELDS = 64;

  /** Limits for heads and chunk lines alike. */
  static final Http1Config LIMITS =
      Http1Config.custom()
          .setMaxLineLength(MAX_LINE)
          .setMaxHeaderCount(MAX_FIELDS)
          .setMaxEmptyLineCount(4)
          .build();

  private final Parser parser = new Parser();

  /** Returns the next head, or null if the peer ends before one begins. */
  @Nullable ClassicHttpRequest parse(SessionInputBuffer buffer, InputStream input)
      throws IOException, Refusal {
    parser.pastRequestLine = false;
    try {
      return parser.parse(buffer, input);
    } catch (MessageConstraintException | RequestHeaderFieldsTooLargeException e) {
      throw tooLong();
    } catch (HttpException | IllegalArgumentException e) {
      throw Refusal.of(400, "the head of the request is malformed", "send a valid HTTP/1.1 request")
          .closing();
    }
  }

  private Refusal tooLong() {
    return parser.pastRequestLine
        ? Refusal.of(
                431,
                "the head of the request is too large",
                "send at most "
                    + MAX_FIELDS
                    + " fields of at most "
                    + MAX_LINE
                    + " bytes, together at most "
                    + MAX_HEAD)
            .closing()
        : Refusal.of(
                414,
                "the request line is too long",
                "keep the request line below " + MAX_LINE + " bytes")
            .closing();
  }

  /** Remembers whether the request line was read, which HttpCore's exceptions do not tell. */
  private static final class Parser extends DefaultHttpRequestParser {
    boolean pastRequestLine;

    Parser() {
      super(LIMITS);
    }

    @Override
    protected ClassicHttpRequest createMessage(CharArrayBuffer line)
        throws IOException, HttpException {
      pastRequestLine = true;
      return super.createMessage(line);
    }
  }
}
