package io.quiver.core.benefit;

/** How the items of a batch came to a job: what its time tells about. */
public enum Treatment {
  /** All were in the cache, which holds the whole data set. */
  HIT,
  /** Several jobs bring the data set in together; what is not pinned comes by turns. */
  SHARED,
  /** All came from the store: nothing was cached, or the job was told not to look. */
  MISS,
  /** Some of each: tells nothing by itself. */
  MIXED
}
