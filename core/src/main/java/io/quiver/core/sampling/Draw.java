package io.quiver.core.sampling;

/**
 * What a job should read for one batch. All items named here are out of the sampler's hands until
 * they are settled.
 */
public final class Draw {
  private final int[] candidates;
  private final int want;
  private final int[] fetch;

  Draw(int[] candidates, int want, int[] fetch) {
    this.candidates = candidates;
    this.want = want;
    this.fetch = fetch;
  }

  /** Items that should be in the cache: any {@link #want} of them will do, the first ones best. */
  public int[] candidates() {
    return candidates;
  }

  /** How many of the candidates the batch needs. */
  public int want() {
    return want;
  }

  /** Items that are in no resident chunk: the batch needs all of them, from wherever. */
  public int[] fetch() {
    return fetch;
  }

  /** The size of the batch this makes. */
  public int size() {
    return want + fetch.length;
  }
}
