package io.quiver.core.plan.review;

/** The verdicts on the benefit of the cache for a job. */
public enum Verdict {
  /** It is faster with the cache. */
  GAINS,
  /** It is not: it gets only bytes that nobody else can use. */
  GAINS_NOTHING,
  /** Nobody knows yet. */
  UNMEASURED,
  /** Nobody will know: the run is too short to try it out. */
  TOO_SHORT
}
