package io.quiver.gateway.s3.message;

import java.nio.charset.StandardCharsets;

/**
 * Keys that are passed on to stores. A part {@code .} or {@code ..} is refused: some stores resolve
 * it, and then a key that begins as it was granted would lead somewhere else.
 */
public final class ObjectKey {
  /** The longest key, in bytes of UTF-8. */
  static final int MAX_BYTES = 1024;

  private ObjectKey() {}

  /** Returns a key if stores take it. */
  public static String require(String key) throws S3Failure {
    if (key.length() > MAX_BYTES / 3 && key.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw S3Failure.of(
          S3Code.KEY_TOO_LONG, "A key has at most " + MAX_BYTES + " bytes of UTF-8.");
    }
    if (hasDots(key) || key.indexOf('\0') >= 0) {
      throw S3Failure.of(
          S3Code.INVALID_ARGUMENT,
          "Keys with a part '.' or '..' or a zero byte are not served: stores disagree on them.");
    }
    return key;
  }

  /** Returns the beginning of keys if stores take it. */
  public static String requirePrefix(String prefix) throws S3Failure {
    // The text behind the last slash may yet become a longer part.
    require(prefix.substring(0, prefix.lastIndexOf('/') + 1));
    return prefix;
  }

  private static boolean hasDots(String key) {
    if (key.indexOf('.') < 0) {
      return false;
    }
    for (String part : key.split("/", -1)) {
      if (part.equals(".") || part.equals("..")) {
        return true;
      }
    }
    return false;
  }
}
