package io.quiver.simulator.job;

import java.util.Arrays;

/**
 * Asks for items that have no names but their chunks': any of so many of each chunk, and all of so
 * many others.
 */
final class CountedRequest implements BatchRequest {
  private final int[] candidates;
  private final int want;
  private final int[] fetch;

  /**
   * Makes a request.
   *
   * @param candidates the chunk of each candidate, the preferred ones first
   * @param want how many of them are needed
   * @param fetch the chunk of each item that is not expected in the cache
   */
  CountedRequest(int[] candidates, int want, int[] fetch) {
    this.candidates = candidates;
    this.want = want;
    this.fetch = fetch;
  }

  @Override
  public int[] candidates() {
    return candidates;
  }

  @Override
  public int want() {
    return want;
  }

  @Override
  public int size() {
    return want + fetch.length;
  }

  /** Returns how many items it names. */
  int named() {
    return candidates.length + fetch.length;
  }

  /** As many of the first candidates' chunks as were not found. */
  @Override
  public int[] missing(int[] found) {
    int lacking = want - found.length;
    int[] reads = Arrays.copyOf(fetch, fetch.length + lacking);
    int at = fetch.length;
    int matched = 0;
    for (int i = 0; at < reads.length; i++) {
      if (matched < found.length && found[matched] == candidates[i]) {
        matched++;
      } else {
        reads[at++] = candidates[i];
      }
    }
    return reads;
  }

  /** Adds the sign for each item to the count of its chunk. */
  void count(int[] chunkCounts, int sign) {
    for (int chunk : candidates) {
      chunkCounts[chunk] += sign;
    }
    for (int chunk : fetch) {
      chunkCounts[chunk] += sign;
    }
  }
}
