package io.quiver.core.engine;

/** Tells where one item that a job asked for is. */
public enum ItemStatus {
  /** It is there; a get brings its bytes. */
  HIT,
  /** It is not there. */
  MISS,
  /** It is not there, and the asking job is to fetch and insert it. */
  YOURS,
  /** It will be there soon: another job fetches it, or the answer was full before it. */
  PENDING
}
