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

/** Counts what one server does. Counting takes no lock, but for the first time of a name. */
public final class ServerMetrics {
  /** The most jobs, data sets and spaces counted one by one at a time. */
  private static final int MAX_NAMES = 1_000;

  private static final String REQUESTS = "quiver_requests_total";
  private static final String LATENCY = "quiver_request_seconds";

  private final Map<ServerCounter, LongAdder> counters = new EnumMap<>(ServerCounter.class);
  private final Map<Endpoint, EndpointMetrics> endpoints = new EnumMap<>(Endpoint.class);
  private final AtomicInteger requestsInFlight = new AtomicInteger();
  private final NamedCounters jobs;
  private final NamedCounters datasets;
  private final NamedCounters spaces;

  /** Makes counters at zero. */
  public ServerMetrics(LongSupplier nanoTime) {
    jobs = new NamedCounters("job", MAX_NAMES, nanoTime);
    datasets = new NamedCounters("dataset", MAX_NAMES, nanoTime);
    spaces = new NamedCounters("space", MAX_NAMES, nanoTime);
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

  /** Returns the counters of a job and a data set; empty names stand for none. */
  public Account account(String job, String dataset) {
    List<NamedCounters.Counters> named = new ArrayList<>(2);
    if (!job.isEmpty()) {
      named.add(jobs.of(job));
    }
    if (!dataset.isEmpty()) {
      named.add(datasets.of(dataset));
    }
    return new Account(this, named);
  }

  /** Counts for a space; the server as a whole is counted elsewhere. */
  public void add(SpaceId space, ServerCounter counter, long amount) {
    spaces.of(space.name()).add(counter, amount);
  }

  /** Returns what was counted so far. */
  public long value(ServerCounter counter) {
    return adder(counter).sum();
  }

  /** Notes that a request begins to be served. */
  public void begin() {
    requestsInFlight.incrementAndGet();
  }

  /** Notes that a request was served. */
  public void end(Endpoint endpoint, int status, long nanos) {
    requestsInFlight.decrementAndGet();
    EndpointMetrics metrics = endpoints.get(endpoint);
    if (metrics != null) {
      metrics.record(status, nanos);
    }
  }

  /** Returns the requests being served now. */
  public int requestsInFlight() {
    return requestsInFlight.get();
  }

  /** Returns everything in Prometheus' text format, together with values of the moment. */
  public String text(Map<ServerGauge, Long> gauges, KeeperMetric.Reports keepers) {
    MetricText text = new MetricText();
    counters.forEach((counter, adder) ->
        text.family(counter.metric(), "counter", counter.help())
            .sample(counter.metric(), adder.sum()));
    List.of(jobs, datasets, spaces).forEach(each -> each.write(text));
    KeeperMetric.write(text, keepers);
    text.family(REQUESTS, "counter", "Requests by endpoint and outcome.");
    endpoints.forEach((endpoint, metrics) -> metrics.writeCounts(REQUESTS, endpoint, text));
    text.family(LATENCY, "histogram", "Time from a request's head to the end of its answer.");
    endpoints.forEach((endpoint, metrics) -> metrics.writeLatency(LATENCY, endpoint, text));
    gauges.forEach((gauge, value) ->
        text.family(gauge.metric(), "gauge", gauge.help()).sample(gauge.metric(), value));
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

  /** Counts what one request does: for the server, and for the job and the data set it names. */
  public static final class Account {
    private final ServerMetrics metrics;
    private final List<NamedCounters.Counters> named;

    private Account(ServerMetrics metrics, List<NamedCounters.Counters> named) {
      this.metrics = metrics;
      this.named = named;
    }

    /** Counts one. */
    public void count(ServerCounter counter) {
      add(counter, 1);
    }

    /** Counts several. */
    public void add(ServerCounter counter, long amount) {
      if (amount != 0) {
        metrics.add(counter, amount);
        named.forEach(each -> each.add(counter, amount));
      }
    }
  }
}
