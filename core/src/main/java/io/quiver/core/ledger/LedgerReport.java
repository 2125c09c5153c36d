package io.quiver.core.ledger;

import java.util.List;

/**
 * Tells what the ledgers of a job prove.
 *
 * @param job the job's name
 * @param items how many items its data set has
 * @param kind "epoch" if every item is promised once, "list" for the entries of lists
 * @param ledgers how many ledgers were read
 * @param torn how many of them end in a frame that was not written to its end
 * @param epochs one entry for each epoch that any ledger speaks of, in order
 */
public record LedgerReport(
    String job, int items, String kind, int ledgers, int torn, List<EpochReport> epochs) {
  /** Keeps its own copy. */
  public LedgerReport {
    epochs = List.copyOf(epochs);
  }

  /**
   * Returns true if every item, or every entry of the lists, came exactly once in every epoch;
   * ledgers without a batch prove nothing.
   */
  public boolean exactlyOnce() {
    return (items == 0 || !epochs.isEmpty()) && epochs.stream().allMatch(EpochReport::exactlyOnce);
  }

  /** Returns true if no item came more often than promised; some may be missing. */
  public boolean atMostOnce() {
    return epochs.stream().allMatch(epoch -> epoch.doubled() == 0);
  }
}
