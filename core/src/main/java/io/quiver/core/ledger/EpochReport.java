package io.quiver.core.ledger;

import java.util.List;

/**
 * Compares what the ledgers of a job say about one epoch with what its order promised: every item
 * once, or the entries of a list.
 *
 * @param epoch the number of the epoch
 * @param batches how many batches all ranks delivered
 * @param expected how many deliveries the order promised: items, or entries of the list
 * @param missing how many of these did not come
 * @param doubled how many items came more often than promised, not counting padding
 * @param padded how many deliveries were padding
 * @param distinct how many different items came, not counting padding
 * @param examples some of the items that are wrong
 */
public record EpochReport(
    int epoch,
    long batches,
    int expected,
    int missing,
    int doubled,
    long padded,
    int distinct,
    Examples examples) {
  /**
   * A few items that did not come as promised.
   *
   * @param missing the lowest of the missing items
   * @param doubled items that came too often
   */
  public record Examples(List<Integer> missing, List<Integer> doubled) {
    static final int MOST = 10;

    /** Keeps its own copies. */
    public Examples {
      missing = List.copyOf(missing);
      doubled = List.copyOf(doubled);
    }
  }

  /** Returns how many of the promised deliveries came. */
  public int delivered() {
    return expected - missing;
  }

  /** Returns true if nothing is missing. */
  public boolean complete() {
    return missing == 0;
  }

  /** Returns true if every item, or every entry of the list, came exactly once. */
  public boolean exactlyOnce() {
    return complete() && doubled == 0;
  }

  /** Returns the share of a data set of so many items that came at least once. */
  public double coverage(int items) {
    return items == 0 ? 1 : (double) distinct / items;
  }

  /** Returns the lowest of the missing items, a few. */
  public List<Integer> firstMissing() {
    return examples.missing();
  }

  /** Returns a few of the items that came too often. */
  public List<Integer> firstDoubled() {
    return examples.doubled();
  }
}
