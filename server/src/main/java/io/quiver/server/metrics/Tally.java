package io.quiver.server.metrics;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one job, one data set or one space. */
final class Tally {
  /** The counters kept one by one; the others belong to the server only. */
  static final Set<ServerCounter> COUNTERS =
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
          ServerCounter.STORED_BYTES);

  private final Map<ServerCounter, LongAdder> adders = new EnumMap<>(ServerCounter.class);
  private volatile long usedNanos;

  Tally(long nowNanos) {
    COUNTERS.forEach(counter -> adders.put(counter, new LongAdder()));
    usedNanos = nowNanos;
  }

  /** Notes that somebody counts, which keeps it from being forgotten. */
  Tally used(long nowNanos) {
    usedNanos = nowNanos;
    return this;
  }

  long usedNanos() {
    return usedNanos;
  }

  void add(ServerCounter counter, long amount) {
    LongAdder adder = adders.get(counter);
    if (adder != null) {
      adder.add(amount);
    }
  }

  long value(ServerCounter counter) {
    LongAdder adder = adders.get(counter);
    return adder == null ? 0 : adder.sum();
  }
}
