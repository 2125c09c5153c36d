package io.quiver.remote.direct;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request. Its body is read by one thread; when all of it was read, the connection
 * is used again. Any thread may abort it.
 */
public final class DirectAnswer {
  private static final int MAX_LENGTH_DIGITS = 18;

  private final ClassicHttpResponse head;
  private final DirectConnection connection;
  private final DirectHttp pool;
  private final InputStream body = new Body();
  private final AtomicBoolean over = new AtomicBoolean();
  private final long length;
  private long left;

  DirectAnswer(ClassicHttpResponse head, DirectConnection connection, DirectHttp pool) {
    this.head = head;
    this.connection = connection;
    this.pool = pool;
    this.length = length(head);
    this.left = Math.max(0, length);
    endIfRead();
  }

  /** Returns the length of the body, or -1 if the answer has none, or more than one. */
  private static long length(ClassicHttpResponse head) {
    Header[] lengths = head.getHeaders(HttpHeaders.CONTENT_LENGTH);
    if (lengths.length != 1 || head.containsHeader(HttpHeaders.TRANSFER_ENCODING)) {
      return -1;
    }
    String value = lengths[0].getValue();
    boolean digits = !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits && value.length() <= MAX_LENGTH_DIGITS ? Long.parseLong(value) : -1;
  }

  public int status() {
    return head.getCode();
  }

  /** Returns a header of the answer, the first of several; null if there is none. */
  public @Nullable String header(String name) {
    Header header = head.getFirstHeader(name);
    return header == null ? null : header.getValue();
  }

  /** Returns the headers whose names begin with a prefix of lower case, without that prefix. */
  public Map<String, String> headersFrom(String prefix) {
    Map<String, String> found = new HashMap<>();
    for (Header header : head.getHeaders()) {
      String name = header.getName().toLowerCase(Locale.ROOT);
      if (name.startsWith(prefix)) {
        found.putIfAbsent(name.substring(prefix.length()), header.getValue());
      }
    }
    return found;
  }

  /** Returns the number of bytes of the body; negative if the answer does not tell. */
  public long length() {
    return length;
  }

  /** Returns the body of an answer whose length is known. */
  public InputStream body() {
    return body;
  }

  /** Drops the connection unless all of the body was read. */
  public void abort() {
    if (over.compareAndSet(false, true)) {
      pool.discard(connection);
    }
  }

  private void endIfRead() {
    if (length >= 0 && left == 0 && over.compareAndSet(false, true)) {
      if (keepsConnection()) {
        pool.giveBack(connection);
      } else {
        pool.discard(connection);
      }
    }
  }

  private boolean keepsConnection() {
    Header wish = head.getFirstHeader(HttpHeaders.CONNECTION);
    return HttpVersion.HTTP_1_1.equals(head.getVersion())
        && !connection.surplus()
        && (wish == null || !"close".equalsIgnoreCase(wish.getValue().trim()));
  }

  private final class Body extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      if (left == 0) {
        return -1;
      }
      int most = (int) Math.min(count, left);
      int read = most == 0 ? 0 : connection.read(target, offset, most);
      if (read < 0) {
        abort();
        throw new EOFException("the connection was closed " + left + " bytes early");
      }
      left -= read;
      endIfRead();
      return read;
    }

    @Override
    public void close() {
      abort();
    }
  }
}
