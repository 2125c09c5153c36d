package io.quiver.core.stream.tree;

/** Measures how often and how fast a stream is read, over the last ten to twenty seconds. */
final class ReadRates {
  static final long OBJECT_BYTES = 120;

  private static final long SPAN_NANOS = 10_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long LEAST_NANOS = 500_000_000L;

  private long began;
  private long beganBefore;
  private long reads;
  private long readsBefore;
  private long fromStore;
  private long fromStoreBefore;
  private double storeSeconds;
  private double cacheSeconds;

  ReadRates(long now) {
    began = now;
    beganBefore = now;
  }

  void note(long now, boolean store, long tookNanos) {
    roll(now);
    reads++;
    double took = Math.max(0, tookNanos) / NANOS_PER_SECOND;
    if (store) {
      fromStore++;
      storeSeconds = mean(storeSeconds, took);
    } else {
      cacheSeconds = mean(cacheSeconds, took);
    }
  }

  private static double mean(double before, double value) {
    final double part = 1.0 / 32;
    return before == 0 ? value : before + part * (value - before);
  }

  private void roll(long now) {
    long span = now - began;
    if (span < SPAN_NANOS) {
      return;
    }
    boolean recent = span < 2 * SPAN_NANOS;
    beganBefore = recent ? began : now - SPAN_NANOS;
    readsBefore = recent ? reads : 0;
    fromStoreBefore = recent ? fromStore : 0;
    began = now;
    reads = 0;
    fromStore = 0;
  }

  double readsPerSecond(long now) {
    roll(now);
    double seconds = Math.max(LEAST_NANOS, now - beganBefore) / NANOS_PER_SECOND;
    return (readsBefore + reads) / seconds;
  }

  double storeShare() {
    long all = readsBefore + reads;
    return all == 0 ? 0 : (double) (fromStoreBefore + fromStore) / all;
  }

  double cacheSeconds() {
    return cacheSeconds;
  }

  double storeSeconds() {
    return storeSeconds;
  }
}
