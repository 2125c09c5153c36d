package io.quiver.simulator.igt;

import io.quiver.simulator.engine.Engine;

/** The time of a read that the cache answers over the cluster's own network. */
final class CacheTimes {
  private static final long LATENCY_NANOS = 1_000_000;
  private static final double BYTES_PER_NANO = 1.25;

  private CacheTimes() {}

  /** Returns the time for so many bytes: a millisecond, and 10 Gb/s. */
  static long nanos(int bytes) {
    return LATENCY_NANOS + Math.round(bytes / BYTES_PER_NANO);
  }

  /** Answers a read from the cache. */
  static void answer(Engine engine, RunningProgram job, int worker, int bytes) {
    engine.after(nanos(bytes), any -> job.arrived(worker, false), 0);
  }
}
