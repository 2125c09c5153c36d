package io.quiver.server.metrics;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Counts the durations of answers in buckets that double from 64 µs to 67 s. */
final class LatencyHistogram {
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

  /** Appends the cumulative buckets, the sum and the count of one labelled series. */
  void write(String metric, String labels, StringBuilder text) {
    long cumulative = 0;
    for (int i = 0; i <= BUCKETS; i++) {
      cumulative += counts.get(i);
      String bound = i == BUCKETS ? "+Inf" : Double.toString((1L << (FIRST_SHIFT + i)) / 1e9);
      text.append(metric).append("_bucket{").append(labels).append(",le=\"").append(bound);
      text.append("\"} ").append(cumulative).append('\n');
    }
    text.append(metric).append("_sum{").append(labels).append("} ");
    text.append(nanos.sum() / 1e9).append('\n');
    text.append(metric).append("_count{").append(labels).append("} ");
    text.append(cumulative).append('\n');
  }
}
