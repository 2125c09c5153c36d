package io.quiver.simulator.job;

import io.quiver.core.engine.ReadRules;

/**
 * How a job's loader reads.
 *
 * @param depth most batches being read or waiting for the GPUs
 * @param fetchBytes most bytes of items that are read from the store and inserted together; one
 *     item at least
 * @param preloadReads most such reads under way that bring chunks in ahead of time
 * @param claims whether jobs ask who fetches a missing item; if not, each fetches what it needs
 * @param preload whether jobs bring chunks in that the plan says are loading
 */
public record LoaderModel(
    int depth, long fetchBytes, int preloadReads, boolean claims, boolean preload) {
  /** As the loader of the client is set up when nobody says otherwise. */
  public static final LoaderModel STANDARD =
      new LoaderModel(4, 4_000_000, ReadRules.PRELOAD_LOTS, true, true);

  /** Checks the numbers. */
  public LoaderModel {
    if (depth < 1 || fetchBytes < 1 || preloadReads < 1) {
      throw new IllegalArgumentException(
          "a loader " + depth + " batches deep that reads " + fetchBytes + " bytes at a time");
    }
  }

  /** The same with claims and preloading, or without. */
  public LoaderModel with(boolean claiming, boolean preloading) {
    return new LoaderModel(depth, fetchBytes, preloadReads, claiming, preloading);
  }
}
