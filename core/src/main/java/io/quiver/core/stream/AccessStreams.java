package io.quiver.core.stream;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Everything a door knows about how its programs read: the tree of streams, what was recognised in
 * it and what is to be read ahead. One thread uses it; others use the {@link #placements} it made.
 */
public final class AccessStreams {

  /**
   * Begins with nothing seen.
   *
   * @param keys makes the hashed name of a stream of its path; the same at all doors of a store
   */
  public AccessStreams(StreamRules rules, UnaryOperator<String> keys) {}

  /** Notes a read. */
  public void read(BlockAccess access) {}

  /**
   * Learns what a directory holds, as a listing that a program asked for has shown it.
   *
   * @param directory path of the directory; empty for the root
   * @param page a page of its children, in the order of their names
   */
  public void listed(String directory, ListedPage page) {}

  /** Returns up to so many advices and forgets them; the most urgent come first. */
  public List<PrefetchAdvice> advise(int most, long nanos) {
    return List.of();
  }

  /** Notes the end of an advice. */
  public void ended(PrefetchAdvice advice, PrefetchAdvice.Outcome outcome) {}

  /** Follows the latest plan: merged patterns, and the quotas that fill streams. */
  public void follow(List<StreamVerdict> verdicts) {}

  /** Returns the streams that may own a quota, those with the most reads first. */
  public List<StreamSummary> summaries(int most, long nanos) {
    return List.of();
  }

  /**
   * Returns where blocks go as of now; the answer never changes and is safe for use by many
   * threads. What the plan says of a stream counts; of a stream that no plan mentions yet,
   * sequential reads go nowhere and all others into the shared space.
   */
  public StreamPlacements placements() {
    return StreamPlacements.NONE;
  }

  /** Returns how many nodes the tree has. */
  public int nodes() {
    return 0;
  }

  /** Returns the bytes of the tree, without listings. */
  public long treeBytes() {
    return 0;
  }

  /** Returns the bytes of listings. */
  public long listingBytes() {
    return 0;
  }
}
