package io.quiver.server.blobs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of a blob that a {@code Range} field selects.
 *
 * @param first the first byte
 * @param length how many; zero if the range lies outside the blob
 */
record ByteRange(long first, long length) {
  private static final Pattern SINGLE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  /**
   * Reads the field. What is not one range of bytes is ignored, as HTTP demands: several ranges,
   * other units, nonsense.
   */
  static Optional<ByteRange> parse(@Nullable String field, long size) {
    Matcher match = SINGLE.matcher(field == null ? "" : field.replace(" ", ""));
    if (!match.matches() || (match.group(1).isEmpty() && match.group(2).isEmpty())) {
      return Optional.empty();
    }
    if (match.group(1).isEmpty()) {
      long length = Math.min(Long.parseLong(match.group(2)), size);
      return Optional.of(new ByteRange(size - length, length));
    }
    long first = Long.parseLong(match.group(1));
    long last = match.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(match.group(2));
    if (last < first) {
      return Optional.empty();
    }
    return Optional.of(
        new ByteRange(first, first >= size ? 0 : Math.min(last, size - 1) - first + 1));
  }

  boolean satisfiable() {
    return length > 0;
  }

  /** Returns the value of {@code Content-Range}. */
  String of(long size) {
    return "bytes " + first + "-" + (first + length - 1) + "/" + size;
  }
}
