package io.quiver.gateway.s3.message;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of an object that is sent.
 *
 * @param offset the first byte
 * @param length how many bytes
 * @param partial true if a range was asked for
 */
public record ObjectRange(long offset, long length, boolean partial) {
  private static final Pattern RANGE = Pattern.compile("bytes=\\s*(\\d{0,18})\\s*-\\s*(\\d{0,18})");

  /**
   * Finds the part that a Range field asks for. As in S3, a malformed range and several ranges at
   * once stand for the whole object.
   *
   * @throws S3Failure if the range begins past the end
   */
  public static ObjectRange of(@Nullable String field, long size) throws S3Failure {
    ObjectRange whole = new ObjectRange(0, size, false);
    Matcher match = RANGE.matcher(field == null ? "" : field.strip());
    if (!match.matches()) {
      return whole;
    }
    String first = match.group(1);
    String last = match.group(2);
    if (first.isEmpty()) {
      return last.isEmpty() ? whole : suffix(Long.parseLong(last), size, String.valueOf(field));
    }
    long begin = Long.parseLong(first);
    long end = last.isEmpty() ? Long.MAX_VALUE : Long.parseLong(last);
    if (end < begin) {
      return whole;
    }
    if (begin >= size) {
      throw unsatisfiable(String.valueOf(field), size);
    }
    return new ObjectRange(begin, Math.min(end, size - 1) - begin + 1, true);
  }

  private static ObjectRange suffix(long wanted, long size, String field) throws S3Failure {
    if (wanted == 0 || size == 0) {
      throw unsatisfiable(field, size);
    }
    long length = Math.min(wanted, size);
    return new ObjectRange(size - length, length, true);
  }

  private static S3Failure unsatisfiable(String field, long size) {
    return S3Failure.of(S3Code.INVALID_RANGE, "The requested range is not satisfiable")
        .with(Map.of("RangeRequested", field, "ActualObjectSize", Long.toString(size)))
        .withField("Content-Range", "bytes */" + size);
  }

  /** Returns the Content-Range field. */
  public String contentRange(long size) {
    return "bytes " + offset + "-" + (offset + length - 1) + "/" + size;
  }
}
