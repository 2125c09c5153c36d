package io.quiver.simulator.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The values of one group of keys, each checked as it is read. Every key that nobody asked for is
 * an error, so that a misspelt one is not silently ignored.
 */
final class YamlKeys {
  /** Longest time that a file may ask for, in seconds. */
  static final double MAX_SECONDS = 1e8;

  private static final double MAX_MEGABYTES_PER_SECOND = 1e9;
  private static final double SMALLEST_RATE = 1e-6;
  private static final double MAX_GIGABYTES = 1e9;
  private static final double MAX_MILLIS = 60_000;
  private static final double SECOND = 1e9;
  private static final double MILLI = 1e6;
  private static final double MEGA = 1e6;
  private static final double GIGA = 1e9;

  private final String file;
  private final String where;
  private final YamlNode.Fields fields;
  private final Set<String> known = new TreeSet<>();

  YamlKeys(String file, String where, YamlNode.Fields fields) {
    this.file = file;
    this.where = where;
    this.fields = fields;
  }

  /** Returns the error of a key, or of the group where the key is missing. */
  ScenarioException error(String key, String problem) {
    int line = fields.lines().getOrDefault(key, fields.line());
    return new ScenarioException(file, line, where + key + ": " + problem);
  }

  int line() {
    return fields.line();
  }

  boolean has(String key) {
    known.add(key);
    return fields.nodes().containsKey(key);
  }

  /** Refuses keys that were not asked for; to be called last. */
  void done() {
    for (Map.Entry<String, Integer> each : fields.lines().entrySet()) {
      if (!known.contains(each.getKey())) {
        throw new ScenarioException(
            file,
            each.getValue(),
            "unknown key \"" + where + each.getKey() + "\"; " + advice(each.getKey()));
      }
    }
  }

  private String advice(String key) {
    Optional<String> near = known.stream().filter(each -> distance(each, key) <= 2).findFirst();
    return near.map(each -> "did you mean \"" + each + "\"?")
        .orElseGet(() -> "known here: " + String.join(", ", known));
  }

  /** Returns a hint at an unknown key that may have been meant. */
  private Optional<String> misspelled(String key) {
    return fields.lines().keySet().stream()
        .filter(each -> !known.contains(each) && distance(each, key) <= 2)
        .map(each -> "is \"" + each + "\" meant for it?")
        .findFirst();
  }

  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int corner = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = corner + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        corner = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }

  String text(String key) {
    if (!has(key)) {
      throw error(key, "is missing; " + misspelled(key).orElse("every entry needs it"));
    }
    YamlNode node = fields.nodes().get(key);
    if (node instanceof YamlNode.Scalar scalar && !scalar.text().isBlank()) {
      return scalar.text();
    }
    throw error(
        key, "is " + (node == null ? "missing" : node.kind()) + "; give one word or number");
  }

  String text(String key, String otherwise) {
    return has(key) ? text(key) : otherwise;
  }

  boolean flag(String key, boolean otherwise) {
    String text = text(key, String.valueOf(otherwise));
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw error(key, "is \"" + text + "\"; use true or false");
  }

  /** Returns a number within these bounds. */
  double number(String key, double least, double most) {
    String text = text(key);
    double value;
    try {
      value = Double.parseDouble(text.replace("_", ""));
    } catch (NumberFormatException e) {
      throw error(key, "is \"" + text + "\"; give a number");
    }
    if (!(value >= least && value <= most)) {
      throw error(key, "is " + text + "; use " + shown(least) + " to " + shown(most));
    }
    return value;
  }

  double number(String key, double otherwise, double least, double most) {
    return has(key) ? number(key, least, most) : otherwise;
  }

  /** Returns a whole number within these bounds. */
  long whole(String key, long least, long most) {
    double value = number(key, (double) least, (double) most);
    if (value != Math.rint(value)) {
      throw error(key, "is " + value + "; give a whole number");
    }
    return (long) value;
  }

  long whole(String key, long otherwise, long least, long most) {
    return has(key) ? whole(key, least, most) : otherwise;
  }

  /** Returns a time given in seconds, in nanoseconds. */
  long seconds(String key, double otherwise) {
    return nanos(number(key, otherwise, 0, MAX_SECONDS));
  }

  /** Returns a time given in milliseconds, in nanoseconds. */
  long millis(String key, double otherwise) {
    return Math.round(number(key, otherwise, 0, MAX_MILLIS) * MILLI);
  }

  /** Converts seconds to nanoseconds. */
  static long nanos(double seconds) {
    return Math.round(seconds * SECOND);
  }

  /** Returns a rate given in megabytes a second, in bytes a second; sizes are powers of ten. */
  double rate(String key, double otherwise) {
    return number(key, otherwise, SMALLEST_RATE, MAX_MEGABYTES_PER_SECOND) * MEGA;
  }

  /** Returns a rate that is as good as unlimited if the key is missing. */
  double rate(String key) {
    return rate(key, MAX_MEGABYTES_PER_SECOND);
  }

  /** Returns a length given in megabytes, in bytes. */
  long megabytes(String key, long otherwise) {
    return Math.round(number(key, otherwise / MEGA, 1e-6, 1e6) * MEGA);
  }

  /** Returns a length given in gigabytes, in bytes. */
  double gigabytes(String key) {
    return number(key, 0, MAX_GIGABYTES) * GIGA;
  }

  /** Returns a length given in gigabytes, in bytes, of at least this many gigabytes. */
  long gigabytes(String key, long otherwise, double least) {
    return has(key) ? Math.round(number(key, least, MAX_GIGABYTES) * GIGA) : otherwise;
  }

  private static String shown(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.valueOf((long) value)
        : String.valueOf(value);
  }

  /** Returns the groups of a list; none if the key is missing. */
  List<YamlKeys> list(String key) {
    if (!has(key)) {
      return List.of();
    }
    if (!(fields.nodes().get(key) instanceof YamlNode.Sequence sequence)) {
      throw error(key, "give a list: one line beginning with \"- \" for each");
    }
    List<YamlKeys> groups = new ArrayList<>();
    for (YamlNode node : sequence.nodes()) {
      if (!(node instanceof YamlNode.Fields each)) {
        throw new ScenarioException(
            file, node.line(), where + key + ": " + node.kind() + "; give keys and values");
      }
      groups.add(new YamlKeys(file, key + ".", each));
    }
    return groups;
  }

  /** Returns the keys below a key; an empty group if the key is missing. */
  YamlKeys group(String key) {
    if (!has(key)) {
      return new YamlKeys(file, key + ".", new YamlNode.Fields(fields.line()));
    }
    if (fields.nodes().get(key) instanceof YamlNode.Fields each) {
      return new YamlKeys(file, key + ".", each);
    }
    throw error(key, "give keys and values below it");
  }
}
