package io.quiver.core.plan;

/** How much there is of a data set in the cache: whether its jobs show what the cache gives. */
enum FillState {
  /** Nothing: its jobs read the store. */
  NOTHING,
  /** What is to stay is still on its way. */
  LOADING,
  /** What is to stay is there. */
  SETTLED
}
