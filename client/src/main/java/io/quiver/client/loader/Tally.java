package io.quiver.client.loader;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts what happens; what is counted for an epoch is counted for the whole job too. */
final class Tally {
  /** The quantities that are counted. */
  enum Of {
    BATCHES,
    ITEMS,
    BYTES,
    HITS,
    SUBSTITUTED,
    COOPERATIVE,
    STORE_READS,
    STORE_BYTES,
    PRELOADED,
    DUPLICATES,
    INSERTED,
    INSERT_FAILURES,
    MISMATCHES,
    WAIT_NANOS,
    FETCH_NANOS,
    TRANSFORM_NANOS,
    COMPUTE_NANOS
  }

  private static final double NANOS = 1e9;

  private final @Nullable Tally whole;
  private final Map<Of, LongAdder> counts = new EnumMap<>(Of.class);

  /** A count of its own. */
  Tally() {
    this(null);
  }

  /** A part of another. */
  Tally(@Nullable Tally whole) {
    this.whole = whole;
    for (Of each : Of.values()) {
      counts.put(each, new LongAdder());
    }
  }

  void add(Of what, long count) {
    adder(what).add(count);
    if (whole != null) {
      whole.add(what, count);
    }
  }

  void count(Of what) {
    add(what, 1);
  }

  long sum(Of what) {
    return adder(what).sum();
  }

  @SuppressWarnings("NullAway") // Every key has a value.
  private LongAdder adder(Of what) {
    return counts.get(what);
  }

  LoaderStatistics statistics() {
    return new LoaderStatistics(
        new LoaderStatistics.DeliveredItems(
            sum(Of.BATCHES),
            sum(Of.ITEMS),
            sum(Of.BYTES),
            sum(Of.HITS),
            sum(Of.SUBSTITUTED),
            sum(Of.COOPERATIVE)),
        new LoaderStatistics.StoreTraffic(
            sum(Of.STORE_READS),
            sum(Of.STORE_BYTES),
            sum(Of.PRELOADED),
            sum(Of.DUPLICATES),
            sum(Of.INSERTED),
            sum(Of.INSERT_FAILURES),
            sum(Of.MISMATCHES)),
        new LoaderStatistics.BatchTimes(
            sum(Of.WAIT_NANOS) / NANOS,
            sum(Of.FETCH_NANOS) / NANOS,
            sum(Of.TRANSFORM_NANOS) / NANOS,
            sum(Of.COMPUTE_NANOS) / NANOS));
  }
}
