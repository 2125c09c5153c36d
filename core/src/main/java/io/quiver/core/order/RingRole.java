package io.quiver.core.order;

/** The role of a job in the rotating window of its data set. */
public enum RingRole {
  /**
   * One of the fastest jobs: it mixes pinned and rotating items in proportion to what it has left,
   * so that both last until the end of the epoch and the window turns no faster than it must.
   */
  LEADER,
  /** A slower job: it takes from the window first, before the window moves on. */
  FOLLOWER
}
