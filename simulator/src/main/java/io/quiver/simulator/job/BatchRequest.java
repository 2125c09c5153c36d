package io.quiver.simulator.job;

/** Names what a job wants to read for one batch. */
interface BatchRequest {
  /** Returns items that should be in the cache; any {@link #want} of them will do. */
  int[] candidates();

  /** Returns how many of the candidates the batch needs. */
  int want();

  /** Returns how many items the batch has. */
  int size();

  /** Returns what else has to be read when only these candidates were there. */
  int[] missing(int[] found);
}
