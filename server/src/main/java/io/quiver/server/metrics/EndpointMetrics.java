package io.quiver.server.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Requests of one endpoint: how many, with which outcome, how long they took. */
final class EndpointMetrics {
  /** Index 0 counts requests whose connection failed before an answer. */
  private static final int CLASSES = 6;

  private final LongAdder[] byClass = new LongAdder[CLASSES];
  private final LatencyHistogram latency = new LatencyHistogram();

  EndpointMetrics() {
    for (int i = 0; i < CLASSES; i++) {
      byClass[i] = new LongAdder();
    }
  }

  void record(int status, long nanos) {
    byClass[Math.clamp(status / 100, 0, CLASSES - 1)].increment();
    latency.record(nanos);
  }

  void writeCounts(Endpoint endpoint, StringBuilder text) {
    for (int i = 0; i < CLASSES; i++) {
      long count = byClass[i].sum();
      if (count > 0) {
        String outcome = i == 0 ? "failed" : i + "xx";
        text.append("quiver_requests_total{endpoint=\"").append(endpoint.label());
        text.append("\",code=\"").append(outcome).append("\"} ").append(count).append('\n');
      }
    }
  }

  void writeLatency(String metric, Endpoint endpoint, StringBuilder text) {
    if (total() > 0) {
      latency.write(metric, "endpoint=\"" + endpoint.label() + "\"", text);
    }
  }

  private long total() {
    long total = 0;
    for (LongAdder adder : byClass) {
      total += adder.sum();
    }
    return total;
  }
}
