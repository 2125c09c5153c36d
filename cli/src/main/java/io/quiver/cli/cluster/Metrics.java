package io.quiver.cli.cluster;

import java.util.HashMap;
import java.util.Map;

/** The unlabelled samples of a page in Prometheus' text format. */
final class Metrics {
  private final Map<String, Long> samples = new HashMap<>();

  private Metrics() {}

  static Metrics parse(String page) {
    Metrics metrics = new Metrics();
    page.lines()
        .filter(line -> !line.startsWith("#") && line.indexOf('{') < 0)
        .map(line -> line.split(" ", 3))
        .filter(parts -> parts.length >= 2 && parts[1].matches("[0-9]{1,18}"))
        .forEach(parts -> metrics.samples.put(parts[0], Long.parseLong(parts[1])));
    return metrics;
  }

  /** Returns a sample, or 0 where there is none. */
  long value(String name) {
    return samples.getOrDefault(name, 0L);
  }
}
