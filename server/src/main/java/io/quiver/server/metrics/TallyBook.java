package io.quiver.server.metrics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Counters by the name of a job, a data set or a space. It has a bound: when it is full, the one
 * nobody has counted for the longest goes, and should it come back it starts at zero.
 *
 * <p>Names become labels, so characters outside a narrow alphabet are replaced; names that differ
 * in nothing else are counted as one.
 */
final class TallyBook {
  private static final Pattern UNUSUAL = Pattern.compile("[^A-Za-z0-9._:@/+-]");

  private final String label;
  private final int maxNames;
  private final LongSupplier nanoTime;
  private final Map<String, Tally> tallies = new ConcurrentHashMap<>();

  TallyBook(String label, int maxNames, LongSupplier nanoTime) {
    this.label = label;
    this.maxNames = maxNames;
    this.nanoTime = nanoTime;
  }

  /** Returns the counters of this name. */
  Tally of(String name) {
    String key = UNUSUAL.matcher(name).find() ? UNUSUAL.matcher(name).replaceAll("_") : name;
    long now = nanoTime.getAsLong();
    Tally tally = tallies.get(key);
    return (tally == null ? begin(key, now) : tally).used(now);
  }

  private synchronized Tally begin(String key, long now) {
    if (tallies.size() >= maxNames && !tallies.containsKey(key)) {
      tallies.entrySet().stream()
          .min(Comparator.comparingLong(entry -> entry.getValue().usedNanos() - now))
          .ifPresent(idle -> tallies.remove(idle.getKey()));
    }
    return tallies.computeIfAbsent(key, any -> new Tally(now));
  }

  /** Everything in Prometheus' text format; counters nobody needed are left out. */
  void write(StringBuilder text) {
    Map<String, Tally> sorted = new TreeMap<>(tallies);
    for (ServerCounter counter : Tally.COUNTERS) {
      String metric = counter.metric("quiver_" + label + "_");
      ServerMetrics.header(text, metric, counter.help() + " By " + label + ".", "counter");
      sorted.forEach((name, tally) -> {
        long value = tally.value(counter);
        if (value != 0) {
          text.append(metric).append('{').append(label).append("=\"").append(name);
          text.append("\"} ").append(value).append('\n');
        }
      });
    }
  }

  /** Returns everything as a list of documents, by name. */
  List<Map<String, Object>> documents() {
    long now = nanoTime.getAsLong();
    List<Map<String, Object>> documents = new ArrayList<>();
    new TreeMap<>(tallies)
        .forEach((name, tally) -> {
          Map<String, Object> document = new LinkedHashMap<>();
          document.put(label, name);
          document.put("idle_ms", Math.max(0, now - tally.usedNanos()) / 1_000_000);
          Tally.COUNTERS.forEach(counter -> document.put(counter.field(), tally.value(counter)));
          documents.add(document);
        });
    return documents;
  }
}
