package io.quiver.core.stream.tree;

/**
 * Estimates the longest pause that the reads of a stream suggest: the mean of the gaps between them
 * and 2.326 standard deviations, which one gap in a hundred exceeds (IGTCache, §3.3).
 */
final class LeaseEstimate {
  private static final double DEVIATIONS = 2.326;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MEMORY = 64;

  /** Fewer gaps tell nothing of how they vary. */
  private static final int LEAST_GAPS = 8;

  private int gaps;
  private double mean;
  private double variance;

  /** Notes the time between two reads. */
  void note(long gapNanos) {
    double gap = gapNanos / NANOS_PER_SECOND;
    gaps = Math.min(gaps + 1, MEMORY);
    double part = 1.0 / gaps;
    double distance = gap - mean;
    mean += part * distance;
    variance = (1 - part) * (variance + part * distance * distance);
  }

  boolean isKnown() {
    return gaps >= LEAST_GAPS;
  }

  /** Returns the longest pause of the stream itself, in seconds. */
  double quietSeconds() {
    return mean + DEVIATIONS * Math.sqrt(variance);
  }

  /**
   * Returns the longest pause of one of so many substreams that are read by turns at random: their
   * gaps are so many times as long, and vary as much as they last.
   */
  double quietSeconds(long substreams) {
    return mean * substreams * (1 + DEVIATIONS);
  }
}
