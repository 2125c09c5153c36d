package io.quiver.server.metrics;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of one endpoint by their outcome and their duration. */
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

  void writeCounts(String metric, Endpoint endpoint, MetricText text) {
    for (int i = 0; i < CLASSES; i++) {
      long count = byClass[i].sum();
      if (count > 0) {
        String outcome = i == 0 ? "failed" : i + "xx";
        text.sample(metric, count, "endpoint", endpoint.label(), "code", outcome);
      }
    }
  }

  void writeLatency(String metric, Endpoint endpoint, MetricText text) {
    latency.write(metric, endpoint.label(), text);
  }

  /** Counts the durations of answers in buckets that double from 64 µs to 67 s. */
  private static final class LatencyHistogram {
    private static final int FIRST_SHIFT = 16;
    private static final int BUCKETS = 21;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS + 1);
    private final LongAdder nanos = new LongAdder();

    void record(long elapsedNanos) {
      long steps = Math.max(0, elapsedNanos) >> FIRST_SHIFT;
      int bucket = Math.min(BUCKETS, Long.SIZE - Long.numberOfLeadingZeros(steps));
      counts.incrementAndGet(bucket);
      nanos.add(Math.max(0, elapsedNanos));
    }

    /** Writes the cumulative buckets, the sum and the count, if anything was recorded. */
    void write(String metric, String endpoint, MetricText text) {
      long[] cumulative = new long[BUCKETS + 1];
      for (int i = 0; i <= BUCKETS; i++) {
        cumulative[i] = counts.get(i) + (i == 0 ? 0 : cumulative[i - 1]);
      }
      long total = cumulative[BUCKETS];
      if (total == 0) {
        return;
      }
      for (int i = 0; i <= BUCKETS; i++) {
        String bound = i == BUCKETS ? "+Inf" : Double.toString((1L << (FIRST_SHIFT + i)) / 1e9);
        text.sample(metric + "_bucket", cumulative[i], "endpoint", endpoint, "le", bound);
      }
      text.sample(metric + "_sum", nanos.sum() / 1e9, "endpoint", endpoint);
      text.sample(metric + "_count", total, "endpoint", endpoint);
    }
  }
}
