package io.quiver.server.metrics;

import io.quiver.core.space.SpaceId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** All counters of one server. Counting takes no lock, but for the first time of a name. */
public final class ServerMetrics {
  /** The most jobs, data sets and spaces counted one by one at a time. */
  private static final int MAX_NAMES = 1_000;

  private static final String LATENCY = "quiver_request_seconds";

  private final Map<ServerCounter, LongAdder> counters = new EnumMap<>(ServerCounter.class);
  private final Map<Endpoint, EndpointMetrics> endpoints = new EnumMap<>(Endpoint.class);
  private final AtomicInteger requestsInFlight = new AtomicInteger();
  private final TallyBook jobs;
  private final TallyBook datasets;
  private final TallyBook spaces;

  /** Everything at zero. */
  public ServerMetrics(LongSupplier nanoTime) {
    jobs = new TallyBook("job", MAX_NAMES, nanoTime);
    datasets = new TallyBook("dataset", MAX_NAMES, nanoTime);
    spaces = new TallyBook("space", MAX_NAMES, nanoTime);
    for (ServerCounter counter : ServerCounter.values()) {
      counters.put(counter, new LongAdder());
    }
    for (Endpoint endpoint : Endpoint.values()) {
      endpoints.put(endpoint, new EndpointMetrics());
    }
  }

  /** Counts one. */
  public void count(ServerCounter counter) {
    add(counter, 1);
  }

  /** Counts several. */
  public void add(ServerCounter counter, long amount) {
    if (amount != 0) {
      adder(counter).add(amount);
    }
  }

  /** Counts for a request of this job about this data set; empty where it names none. */
  public Account account(String job, String dataset) {
    List<Tally> tallies = new ArrayList<>(2);
    if (!job.isEmpty()) {
      tallies.add(jobs.of(job));
    }
    if (!dataset.isEmpty()) {
      tallies.add(datasets.of(dataset));
    }
    return new Account(this, tallies);
  }

  /** Counts for a space; the server as a whole is counted elsewhere. */
  public void add(SpaceId space, ServerCounter counter, long amount) {
    spaces.of(space.name()).add(counter, amount);
  }

  /** Returns what was counted so far. */
  public long value(ServerCounter counter) {
    return adder(counter).sum();
  }

  /** A request begins to be served. */
  public void begin() {
    requestsInFlight.incrementAndGet();
  }

  /** A request was served. */
  public void end(Endpoint endpoint, int status, long nanos) {
    requestsInFlight.decrementAndGet();
    EndpointMetrics metrics = endpoints.get(endpoint);
    if (metrics != null) {
      metrics.record(status, nanos);
    }
  }

  /** Requests being served now. */
  public int requestsInFlight() {
    return requestsInFlight.get();
  }

  /**
   * Returns everything in Prometheus' text format.
   *
   * @param gauges further values of the moment, by metric name
   */
  public String text(Map<String, Long> gauges) {
    StringBuilder text = new StringBuilder(16 << 10);
    counters.forEach((counter, adder) -> {
      header(text, counter.metric(), counter.help(), "counter");
      text.append(counter.metric()).append(' ').append(adder.sum()).append('\n');
    });
    List.of(jobs, datasets, spaces).forEach(book -> book.write(text));
    header(text, "quiver_requests_total", "Requests by endpoint and outcome.", "counter");
    endpoints.forEach((endpoint, metrics) -> metrics.writeCounts(endpoint, text));
    header(text, LATENCY, "Time from a request's head to the end of its answer.", "histogram");
    endpoints.forEach((endpoint, metrics) -> metrics.writeLatency(LATENCY, endpoint, text));
    gauges.forEach((name, value) -> {
      header(text, name, "Value of the moment.", "gauge");
      text.append(name).append(' ').append(value).append('\n');
    });
    return text.toString();
  }

  /** Returns the counters of the server and of each job, data set and space, as a document. */
  public Map<String, Object> document() {
    Map<String, Object> total = new LinkedHashMap<>();
    counters.forEach((counter, adder) -> total.put(counter.field(), adder.sum()));
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("total", total);
    document.put("jobs", jobs.documents());
    document.put("datasets", datasets.documents());
    document.put("spaces", spaces.documents());
    return document;
  }

  private LongAdder adder(ServerCounter counter) {
    LongAdder adder = counters.get(counter);
    if (adder == null) {
      throw new IllegalStateException("no counter " + counter);
    }
    return adder;
  }

  static void header(StringBuilder text, String name, String help, String type) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }
}
