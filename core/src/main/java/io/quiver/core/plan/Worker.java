package io.quiver.core.plan;

import io.quiver.core.sampling.Pace;

/**
 * A job as the planner sees it now.
 *
 * @param report its latest report
 * @param pace whether it sets the pace
 * @param atWork whether it has asked for batches lately
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

  /** Whether it sets the pace and has most of a chunk yet to read. */
  boolean wants(DatasetState state, int chunk) {
    return mayHold() && 2L * remaining(state, chunk) * state.chunks() > state.items();
  }

  /** How many items of a chunk it has yet to read; all when it does not know the division yet. */
  int remaining(DatasetState state, int chunk) {
    if (warms()) {
      return 0;
    }
    return report.chunks() == state.chunks()
        ? report.remaining().get(chunk)
        : (int) Math.ceilDiv((long) state.items(), state.chunks());
  }
}
