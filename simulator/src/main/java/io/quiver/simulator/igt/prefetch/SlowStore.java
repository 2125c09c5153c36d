package io.quiver.simulator.igt.prefetch;

/**
 * A distant store: every answer begins after a latency, and all answers share a link on which they
 * pass one after another, in the order in which they were asked for.
 */
final class SlowStore {
  /** Measured by the paper (IGTCache, §5.1). */
  static final long LATENCY_NANOS = 150_000_000;

  private static final double NANOS_PER_BYTE = 8.0; // 1 Gb/s

  private long linkFree;
  private long bytes;

  /** Returns the time at which the answer to a read that is made now has arrived. */
  long read(long now, int length) {
    bytes += length;
    linkFree = Math.max(now + LATENCY_NANOS, linkFree) + Math.round(length * NANOS_PER_BYTE);
    return linkFree;
  }

  /** Returns the bytes of all reads. */
  long bytes() {
    return bytes;
  }
}
