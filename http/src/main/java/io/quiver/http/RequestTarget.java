package io.quiver.http;

import java.util.HashMap;
import java.util.Map;

/**
 * The path and the query of a request. Paths and values here are made of plain characters, so
 * nothing is unescaped: what is escaped names nothing we know.
 *
 * @param path from the first slash to the question mark
 * @param query the parameters; of a repeated one the last counts
 */
record RequestTarget(String path, Map<String, String> query) {
  static RequestTarget parse(String uri) throws Refusal {
    String origin = uri;
    if (uri.startsWith("http://") || uri.startsWith("https://")) {
      int slash = uri.indexOf('/', uri.indexOf("//") + 2);
      origin = slash < 0 ? "/" : uri.substring(slash);
    }
    if (!origin.startsWith("/")) {
      throw Refusal.of(400, "the request's target is not a path", "send a path that begins with /");
    }
    int mark = origin.indexOf('?');
    return mark < 0
        ? new RequestTarget(origin, Map.of())
        : new RequestTarget(origin.substring(0, mark), parameters(origin.substring(mark + 1)));
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        parameters.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return parameters;
  }
}
