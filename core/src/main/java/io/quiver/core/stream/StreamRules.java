package io.quiver.core.stream;

import java.time.Duration;

/**
 * The numbers of recognition and prefetching. {@link #STANDARD} is what doors use; experiments vary
 * one at a time.
 *
 * @param window reads after which a stream is analysed (IGTCache, §4: 100)
 * @param longWindow reads after which it is analysed once more
 * @param significance how often a random stream may fail the test of gaps
 * @param mostNodes most nodes of the tree
 * @param mostListingBytes most memory for listings
 * @param depth items that are read ahead of a sequential stream at first (the paper's 4)
 * @param mostDepth items that are read ahead of it at most, once they were wanted
 * @param hotShare items below a directory are read ahead if this share of its siblings' were read
 * @param fillShare a random stream is filled if its quota is at least this share of its bytes
 * @param leaseBase the part of a lease that guards against short pauses
 */
public record StreamRules(
    int window,
    int longWindow,
    double significance,
    int mostNodes,
    long mostListingBytes,
    int depth,
    int mostDepth,
    double hotShare,
    double fillShare,
    Duration leaseBase) {
  /** The usual numbers. */
  public static final StreamRules STANDARD =
      new StreamRules(100, 1000, 0.01, 10_000, 64L << 20, 4, 512, 0.8, 0.8, Duration.ofSeconds(60));

  /** Refuses what cannot be. */
  public StreamRules {
    if (window < 10 || longWindow < window || mostNodes < window) {
      throw new IllegalArgumentException(
          "windows of "
              + window
              + " and "
              + longWindow
              + " reads in "
              + mostNodes
              + " nodes; use at least 10 reads, the longer window second, and more nodes");
    }
    if (!(significance > 0 && significance < 1)) {
      throw new IllegalArgumentException(
          "a significance of " + significance + "; it lies between 0 and 1");
    }
    if (depth < 0 || mostDepth < depth || mostListingBytes < 0) {
      throw new IllegalArgumentException(
          "reading ahead "
              + depth
              + " to "
              + mostDepth
              + " items with "
              + mostListingBytes
              + " bytes of listings; none of them is negative");
    }
  }
}
