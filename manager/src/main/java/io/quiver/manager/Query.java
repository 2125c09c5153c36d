package io.quiver.manager;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a call. */
final class Query {
  private final Map<String, String> values = new HashMap<>();

  static Query of(@Nullable String raw) {
    Query query = new Query();
    for (String part : raw == null ? new String[0] : raw.split("&", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        query.values.put(part.substring(0, equals), part.substring(equals + 1));
      }
    }
    return query;
  }

  long number(String name, long otherwise) {
    String text = values.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + "=" + text + " is not a number", e);
    }
  }

  /** So many bytes, or so many more or less than usual when there is a sign. */
  long size(String name, long usual) {
    String text = values.getOrDefault(name, "").replace("%2B", "+");
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          name + " is missing; give bytes, with a sign for more or less than now");
    }
    boolean signed = text.startsWith("+") || text.startsWith("-");
    values.put(name, text);
    long number = number(name, 0);
    long size = signed ? usual + Math.clamp(number, -usual, Long.MAX_VALUE - usual) : number;
    return Math.max(0, size);
  }
}
