package io.quiver.core.plan;

import io.quiver.core.order.Pace;

/**
 * A job as the planner sees it now.
 *
 * @param report its latest report
 * @param pace whether it sets the pace
 * @param atWork whether it has asked for batches lately and is not being probed
 */
record Worker(JobReport report, Pace pace, boolean atWork) {
  String job() {
    return report.job();
  }

  Hold hold() {
    return new Hold(report.job(), report.epoch());
  }

  /** Whether it may keep chunks in the cache. */
  boolean mayHold() {
    return pace == Pace.SETS && atWork;
  }

  /** Whether it brings chunks in only, for others to read. */
  boolean warms() {
    return report.warming();
  }

  /** How many items of a chunk it has yet to read. */
  int remaining(DatasetState state, int chunk) {
    return remaining(state).of(chunk);
  }

  /** The same for every chunk; all of them when it does not know the division yet. */
  ChunkCounts remaining(DatasetState state) {
    if (!warms() && report.chunks() == state.chunks()) {
      return ChunkCounts.copyOf(report.remaining());
    }
    int each = warms() ? 0 : (int) Math.ceilDiv((long) state.items(), state.chunks());
    return ChunkCounts.same(state.chunks(), each);
  }
}
