package io.quiver.core.plan;

import io.quiver.core.order.RingRole;

/**
 * A job as the planner sees it now.
 *
 * @param report its latest report
 * @param ringRole whether it sets the pace
 * @param atWork whether it has asked for batches lately and is not being probed
 */
record Worker(JobReport report, RingRole ringRole, boolean atWork) {
  String job() {
    return report.job();
  }

  ChunkLease lease() {
    return new ChunkLease(report.job(), report.epoch());
  }

  /** Whether it may keep chunks in the cache. */
  boolean mayLease() {
    return ringRole == RingRole.LEADER && atWork;
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
