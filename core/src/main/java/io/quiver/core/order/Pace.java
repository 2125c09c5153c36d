package io.quiver.core.order;

/** How a job treats the rotating window of its data set. */
public enum Pace {
  /**
   * One of the fastest jobs: it mixes pinned and rotating items in proportion to what it has left,
   * so that both last until the end of the epoch and the window turns no faster than it must.
   */
  SETS,
  /** A slower job: it takes from the window first, before the window moves on. */
  FOLLOWS
}
