package io.quiver.core.ledger;

import java.util.List;

/**
 * What the ledgers of a job say about one epoch.
 *
 * @param epoch the epoch
 * @param batches how many batches all ranks delivered
 * @param delivered how many items came at least once, not counting padding
 * @param missing how many items did not come
 * @param doubled how many items came more than once, not counting padding
 * @param padded how many deliveries were padding
 * @param firstMissing the lowest of the missing items, a few
 * @param firstDoubled a few of the doubled items, in the order they were met
 */
public record EpochReport(
    int epoch,
    long batches,
    int delivered,
    int missing,
    int doubled,
    long padded,
    List<Integer> firstMissing,
    List<Integer> firstDoubled) {
  /** Keeps its own copies. */
  public EpochReport {
    firstMissing = List.copyOf(firstMissing);
    firstDoubled = List.copyOf(firstDoubled);
  }

  /** Whether every item came. */
  public boolean complete() {
    return missing == 0;
  }

  /** Whether no item came twice, and none is missing. */
  public boolean exactlyOnce() {
    return complete() && doubled == 0;
  }
}
