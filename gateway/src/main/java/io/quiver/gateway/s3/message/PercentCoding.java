package io.quiver.gateway.s3.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Percent escapes as S3 writes them: everything but letters, digits and {@code -._~} is escaped,
 * and a slash where it divides nothing.
 */
public final class PercentCoding {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private PercentCoding() {}

  /** Returns the text with its bytes escaped; slashes stay as they are. */
  public static String encodePath(String text) {
    int plain = 0;
    while (plain < text.length() && (isPlain(text.charAt(plain)) || text.charAt(plain) == '/')) {
      plain++;
    }
    return plain == text.length() ? text : encode(text);
  }

  private static String encode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    StringBuilder out = new StringBuilder(bytes.length * 2);
    for (byte unit : bytes) {
      char c = (char) (unit & 0xff);
      if (isPlain(c) || c == '/') {
        out.append(c);
      } else {
        out.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
      }
    }
    return out.toString();
  }

  /** Decodes a path, where a plus sign stands for itself. */
  static String decodePath(String text) throws S3Failure {
    return text.indexOf('%') < 0 ? text : decode(text, false);
  }

  /** Decodes a part of a query, where a plus sign stands for a space. */
  static String decodeQuery(String text) throws S3Failure {
    return text.indexOf('%') < 0 && text.indexOf('+') < 0 ? text : decode(text, true);
  }

  private static String decode(String text, boolean plusIsSpace) throws S3Failure {
    ByteBuffer bytes = ByteBuffer.allocate(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        if (i + 2 >= text.length()
            || !HexFormat.isHexDigit(text.charAt(i + 1))
            || !HexFormat.isHexDigit(text.charAt(i + 2))) {
          throw S3Failure.of(S3Code.INVALID_URI, "A percent escape of the URI is broken.");
        }
        bytes.put((byte) HexFormat.fromHexDigits(text, i + 1, i + 3));
        i += 2;
      } else {
        bytes.put((byte) (c == '+' && plusIsSpace ? ' ' : c));
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw S3Failure.of(S3Code.INVALID_URI, "The escapes of the URI are no UTF-8.");
    }
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }
}
