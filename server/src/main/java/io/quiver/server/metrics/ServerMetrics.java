package io.quiver.server.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** All counters of one server. Counting takes no lock. */
public final class ServerMetrics {
  private static final String LATENCY = "quiver_request_seconds";

  private final Map<ServerCounter, LongAdder> counters = new EnumMap<>(ServerCounter.class);
  private final Map<Endpoint, EndpointMetrics> endpoints = new EnumMap<>(Endpoint.class);
  private final AtomicInteger requestsInFlight = new AtomicInteger();

  /** Everything at zero. */
  public ServerMetrics() {
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

  /** What was counted so far. */
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
   * Everything in Prometheus' text format.
   *
   * @param gauges further values of the moment, by metric name
   */
  public String text(Map<String, Long> gauges) {
    StringBuilder text = new StringBuilder(16 << 10);
    counters.forEach((counter, adder) -> {
      header(text, counter.metric(), counter.help(), "counter");
      text.append(counter.metric()).append(' ').append(adder.sum()).append('\n');
    });
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

  private LongAdder adder(ServerCounter counter) {
    LongAdder adder = counters.get(counter);
    if (adder == null) {
      throw new IllegalStateException("no counter " + counter);
    }
    return adder;
  }

  private static void header(StringBuilder text, String name, String help, String type) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }
}
