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
}
