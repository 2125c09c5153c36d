package io.quiver.server.metrics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Counters by the name of a job, a data set or a space. It has a bound: when it is full, the one
 * nobody has counted for the longest goes, and should it come back it starts at zero.
 *
 * <p>Names become labels, so characters outside a narrow alphabet are replaced; names that differ
 * in nothing else are counted as one.
 */
final class NamedCounters {
  private static final Pattern UNUSUAL = Pattern.compile("[^A-Za-z0-9._:@/+-]");

  /** The counters kept by name; the others belong to the server only. */
  private static final Set<ServerCounter> EACH =
      EnumSet.of(
          ServerCounter.HITS,
          ServerCounter.MISSES,
          ServerCounter.HIT_BYTES,
          ServerCounter.DEFERRED,
          ServerCounter.CLAIMS_GRANTED,
          ServerCounter.CLAIMS_PENDING,
          ServerCounter.BLOBS_STORED,
          ServerCounter.BLOBS_ALREADY_HERE,
          ServerCounter.BLOBS_REFUSED,
          ServerCounter.STORED_BYTES,
          ServerCounter.BLOBS_RANKED,
          ServerCounter.NAMES_ASKED,
          ServerCounter.NAME_HITS,
          ServerCounter.NAMES_BOUND,
          ServerCounter.NAMES_REFUSED);

  private final String label;
  private final int maxNames;
  private final LongSupplier nanoTime;
  private final Map<String, Counters> byName = new ConcurrentHashMap<>();

  NamedCounters(String label, int maxNames, LongSupplier nanoTime) {
    this.label = label;
    this.maxNames = maxNames;
    this.nanoTime = nanoTime;
  }

  /** Returns the counters of this name. */
  Counters of(String name) {
    String key = UNUSUAL.matcher(name).find() ? UNUSUAL.matcher(name).replaceAll("_") : name;
    long now = nanoTime.getAsLong();
    Counters counters = byName.get(key);
    return (counters == null ? begin(key, now) : counters).used(now);
  }

  private synchronized Counters begin(String key, long now) {
    if (byName.size() >= maxNames && !byName.containsKey(key)) {
      byName.entrySet().stream()
          .min(Comparator.comparingLong(entry -> entry.getValue().usedNanos - now))
          .ifPresent(idle -> byName.remove(idle.getKey()));
    }
    return byName.computeIfAbsent(key, any -> new Counters(now));
  }

  /** Writes everything but counters that nobody needed. */
  void write(MetricText text) {
    Map<String, Counters> sorted = new TreeMap<>(byName);
    for (ServerCounter counter : EACH) {
      String metric = counter.metric("quiver_" + label + "_");
      text.family(metric, "counter", counter.help() + " By " + label + ".");
      sorted.forEach((name, counters) -> {
        long value = counters.value(counter);
        if (value != 0) {
          text.sample(metric, value, label, name);
        }
      });
    }
  }

  /** Returns everything as a list of documents, by name. */
  List<Map<String, Object>> documents() {
    long now = nanoTime.getAsLong();
    List<Map<String, Object>> documents = new ArrayList<>();
    new TreeMap<>(byName)
        .forEach((name, counters) -> {
          Map<String, Object> document = new LinkedHashMap<>();
          document.put(label, name);
          document.put("idle_ms", Math.max(0, now - counters.usedNanos) / 1_000_000);
          EACH.forEach(counter -> document.put(counter.field(), counters.value(counter)));
          documents.add(document);
        });
    return documents;
  }

  /** The counters of one job, one data set or one space. */
  static final class Counters {
    private final Map<ServerCounter, LongAdder> adders = new EnumMap<>(ServerCounter.class);
    private volatile long usedNanos;

    private Counters(long nowNanos) {
      EACH.forEach(counter -> adders.put(counter, new LongAdder()));
      usedNanos = nowNanos;
    }

    /** Notes that somebody counts, which keeps it from being forgotten. */
    private Counters used(long nowNanos) {
      usedNanos = nowNanos;
      return this;
    }

    void add(ServerCounter counter, long amount) {
      LongAdder adder = adders.get(counter);
      if (adder != null) {
        adder.add(amount);
      }
    }

    private long value(ServerCounter counter) {
      LongAdder adder = adders.get(counter);
      return adder == null ? 0 : adder.sum();
    }
  }
}
