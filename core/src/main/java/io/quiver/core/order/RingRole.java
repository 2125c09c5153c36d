package io.quiver.core.order;

/** The role of a job in the rotating window of its data set. */
public enum RingRole {
  /**
   * One of the fastest jobs: it mixes pinned and rotating items in proportion to what it has left,
   * so that both last until the end of the epoch and the ring moves on no faster than it must.
   */
  LEADER,
  /** A slower job: it takes rotating items first, before they leave the cache. */
  FOLLOWER
}
