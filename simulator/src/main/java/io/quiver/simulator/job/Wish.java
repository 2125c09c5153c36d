package io.quiver.simulator.job;

/** What a job wants to read for one batch. */
interface Wish {
  /** Items that should be in the cache; any {@link #want} of them will do. */
  int[] candidates();

  /** How many of the candidates the batch needs. */
  int want();

  /** How many items the batch has. */
  int size();

  /** What else has to be read when only these candidates were there. */
  int[] missing(int[] found);

  /** Adds one for each item that is out to the count of its chunk, or takes one off. */
  void count(int[] chunkCounts, int sign);
}
