package io.quiver.remote;

/**
 * What a store has been asked for so far.
 *
 * @param lists listings begun
 * @param stats objects looked up
 * @param reads ranges read into buffers
 * @param opens streams opened
 * @param bytes delivered
 * @param failures calls that failed
 */
public record StoreCounts(
    long lists, long stats, long reads, long opens, long bytes, long failures) {
  /** All calls together. */
  public long requests() {
    return lists + stats + reads + opens;
  }
}
