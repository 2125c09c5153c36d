package io.quiver.gateway.s3.message;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The decoded parameters of a query; one without a value has the empty one. */
public final class QueryParameters {
  private static final QueryParameters NONE = new QueryParameters(Map.of());

  private final Map<String, List<String>> values;

  private QueryParameters(Map<String, List<String>> values) {
    this.values = values;
  }

  /** Decodes a query as sent. */
  static QueryParameters parse(String query) throws S3Failure {
    if (query.isEmpty()) {
      return NONE;
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = PercentCoding.decodeQuery(equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : PercentCoding.decodeQuery(pair.substring(equals + 1));
        values.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
      }
    }
    return new QueryParameters(values);
  }

  /** Returns true if the parameter is there, with a value or without. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns the first value of a parameter, or null. */
  public @Nullable String value(String name) {
    List<String> all = values.get(name);
    return all == null ? null : all.getFirst();
  }

  /** Returns the first value of a parameter, or the empty one. */
  public String valueOrEmpty(String name) {
    String value = value(name);
    return value == null ? "" : value;
  }

  /** Returns a whole number of a parameter. */
  public int number(String name, int least, int most, int otherwise) throws S3Failure {
    String text = value(name);
    if (text == null || text.isEmpty()) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw S3Failure.of(
            S3Code.INVALID_ARGUMENT, name + " must be a number from " + least + " to " + most)
        .with(Map.of("ArgumentName", name, "ArgumentValue", text));
  }

  /** Returns the names of all parameters. */
  public Set<String> names() {
    return values.keySet();
  }

  /** Returns all parameters but one. */
  public Map<String, List<String>> without(String name) {
    Map<String, List<String>> rest = new LinkedHashMap<>(values);
    rest.remove(name);
    return rest;
  }
}
