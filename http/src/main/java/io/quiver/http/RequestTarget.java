package io.quiver.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * The path and the query of a request, with percent escapes decoded. A plus sign stands for itself.
 *
 * @param rawPath from the first slash to the question mark, as sent
 * @param rawQuery what follows the question mark, as sent; empty without one
 * @param path the path, decoded
 * @param query the parameters, decoded; of a repeated one the last counts
 */
record RequestTarget(String rawPath, String rawQuery, String path, Map<String, String> query) {
  /** Returns a target whose escapes the handler decodes by rules of its own. */
  static RequestTarget raw(String uri) throws Refusal {
    String origin = origin(uri);
    requirePrintable(origin);
    int mark = origin.indexOf('?');
    String path = mark < 0 ? origin : origin.substring(0, mark);
    return new RequestTarget(path, query(origin, mark), path, Map.of());
  }

  /** Returns a target with its escapes decoded. */
  static RequestTarget parse(String uri) throws Refusal {
    String origin = origin(uri);
    int mark = origin.indexOf('?');
    String path = mark < 0 ? origin : origin.substring(0, mark);
    return new RequestTarget(
        path,
        query(origin, mark),
        decode(path),
        mark < 0 ? Map.of() : parameters(origin.substring(mark + 1)));
  }

  private static String query(String origin, int mark) {
    return mark < 0 ? "" : origin.substring(mark + 1);
  }

  private static String origin(String uri) throws Refusal {
    String origin = uri;
    if (uri.startsWith("http://") || uri.startsWith("https://")) {
      int slash = uri.indexOf('/', uri.indexOf("//") + 2);
      origin = slash < 0 ? "/" : uri.substring(slash);
    }
    if (!origin.startsWith("/")) {
      throw Refusal.of(400, "the request's target is not a path", "send a path that begins with /");
    }
    return origin;
  }

  private static Map<String, String> parameters(String query) throws Refusal {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        parameters.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
      }
    }
    return parameters;
  }

  /**
   * Decodes the percent escapes of UTF-8 text. Refuses a broken escape, bytes that are no UTF-8,
   * control characters and characters that may not stand in a target unescaped.
   */
  static String decode(String text) throws Refusal {
    requirePrintable(text);
    return text.indexOf('%') >= 0 ? unescape(text) : text;
  }

  private static void requirePrintable(String text) throws Refusal {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f) {
        throw malformed();
      }
    }
  }

  private static String unescape(String text) throws Refusal {
    ByteBuffer bytes = ByteBuffer.allocate(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        c = escape(text, i);
        i += 2;
      }
      bytes.put((byte) c);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw malformed();
    }
  }

  private static char escape(String text, int at) throws Refusal {
    if (at + 2 >= text.length()
        || !HexFormat.isHexDigit(text.charAt(at + 1))
        || !HexFormat.isHexDigit(text.charAt(at + 2))) {
      throw malformed();
    }
    int value = HexFormat.fromHexDigits(text, at + 1, at + 3);
    if (value < ' ' || value == 0x7f) {
      throw malformed();
    }
    return (char) value;
  }

  private static Refusal malformed() {
    return Refusal.of(
        400,
        "the request's target is malformed",
        "send printable ASCII, and anything else as UTF-8 in percent escapes (%C3%A4)");
  }
}
