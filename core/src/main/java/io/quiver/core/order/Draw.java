package io.quiver.core.order;

import java.util.Arrays;

/**
 * What a job should read for one batch. All items named here are out of the sampler's hands until
 * they are settled.
 */
public final class Draw {
  private static final int[] NOTHING = new int[0];

  private final int[] candidates;
  private final int want;
  private final int[] fetch;
  private final int[] spare;
  private final int padding;

  private Draw(int[] candidates, int want, int[] fetch, int[] spare, int padding) {
    this.candidates = candidates;
    this.want = want;
    this.fetch = fetch;
    this.spare = spare;
    this.padding = padding;
  }

  /** Any of some candidates, and all of some others, the last of which are padding. */
  static Draw of(int[] candidates, int want, int[] fetch, int padding) {
    return new Draw(candidates, want, fetch, NOTHING, padding);
  }

  /** All of these items, the last of which are padding. */
  static Draw exactly(int[] fetch, int padding) {
    return new Draw(NOTHING, 0, fetch, NOTHING, padding);
  }

  /** The same with items to read where candidates are missing. */
  Draw withSpare(int[] items) {
    return new Draw(candidates, want, fetch, items, padding);
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

  /** Items to read from the store, the first ones first, where candidates are missing. */
  public int[] spare() {
    return spare;
  }

  /**
   * What to read from wherever when only these candidates were found: all of {@link #fetch}, then
   * as many of the spare items, and after them of the missing candidates, as the batch still needs.
   *
   * @param found candidates that are there, each once
   */
  public int[] missing(int[] found) {
    int lacking = Math.max(0, want - found.length);
    int[] reads = Arrays.copyOf(fetch, fetch.length + lacking);
    int spares = Math.min(lacking, spare.length);
    System.arraycopy(spare, 0, reads, fetch.length, spares);
    fillWithAbsent(found, reads, fetch.length + spares);
    return reads;
  }

  private void fillWithAbsent(int[] found, int[] reads, int from) {
    int[] sorted = found.clone();
    Arrays.sort(sorted);
    int at = from;
    for (int i = 0; at < reads.length; i++) {
      if (Arrays.binarySearch(sorted, candidates[i]) < 0) {
        reads[at++] = candidates[i];
      }
    }
  }

  /** Items of {@link #fetch} that repeat another rank's, so that all ranks take equal steps. */
  public int[] padding() {
    return Arrays.copyOfRange(fetch, fetch.length - padding, fetch.length);
  }

  /** Whether an item of this draw is there as padding only. */
  public boolean isPadding(int item) {
    for (int i = fetch.length - padding; i < fetch.length; i++) {
      if (fetch[i] == item) {
        return true;
      }
    }
    return false;
  }

  /** The size of the batch this makes, padding included. */
  public int size() {
    return want + fetch.length;
  }

  /** How many items of the epoch the batch takes: its size without padding. */
  int promised() {
    return size() - padding;
  }

  /** How many of the fetched items count, being no padding. */
  int fetchedOwn() {
    return fetch.length - padding;
  }
}
