package io.quiver.remote.retry;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an object that an answer carries, checked against the request.
 *
 * @param length the number of bytes the answer carries
 * @param size of the whole object
 */
public record ContentRange(long length, long size) {
  private static final Pattern HEADER =
      Pattern.compile("bytes\\s+([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})");

  /**
   * Returns the {@code Range} header for a range; length is positive, or negative for all up to the
   * end.
   */
  public static String header(long offset, long length) {
    return length < 0 || length > Long.MAX_VALUE - offset
        ? "bytes=" + offset + "-"
        : "bytes=" + offset + "-" + (offset + length - 1);
  }

  /**
   * Checks an answer against the request.
   *
   * @param header its {@code Content-Range}; absent when the service sends the whole object
   * @param sent its {@code Content-Length}; negative when unknown
   */
  public static ContentRange of(
      String name, @Nullable String header, long sent, long offset, long length)
      throws IOException {
    if (header == null) {
      return whole(name, sent, offset, length);
    }
    Matcher parts = HEADER.matcher(header);
    if (!parts.matches()) {
      throw new IOException("'" + name + "': unreadable Content-Range '" + header + "'");
    }
    long first = Long.parseLong(parts.group(1));
    long last = Long.parseLong(parts.group(2));
    long size = Long.parseLong(parts.group(3));
    long count = last - first + 1;
    boolean asked = first == offset && count > 0 && last < size && (length < 0 || count <= length);
    if (!asked || (sent >= 0 && sent != count)) {
      throw new IOException(
          "'"
              + name
              + "': asked for "
              + header(offset, length)
              + ", the service answered with "
              + header
              + " in "
              + sent
              + " bytes; a proxy in between may be at fault");
    }
    return new ContentRange(count, size);
  }

  /**
   * Returns the range of a whole object: a service that ignores ranges is good enough for reading
   * from the beginning.
   */
  private static ContentRange whole(String name, long sent, long offset, long length)
      throws IOException {
    if (sent < 0) {
      throw new IOException(
          "'" + name + "': the service tells neither a Content-Length nor a Content-Range");
    }
    if (offset > 0) {
      throw new IOException(
          "'"
              + name
              + "': the service ignores Range requests, so that only reads from the"
              + " beginning work; copy the object to a store that supports ranges");
    }
    return new ContentRange(length < 0 ? sent : Math.min(sent, length), sent);
  }
}
