package io.quiver.core.ledger;

import java.util.List;

/**
 * What the ledgers of a job prove.
 *
 * @param job the job's name
 * @param items how many items its data set has
 * @param ledgers how many ledgers were read
 * @param torn how many of them end in a batch that was not written to its end
 * @param epochs one entry for each epoch that any ledger speaks of, in order
 */
public record LedgerReport(String job, int items, int ledgers, int torn, List<EpochReport> epochs) {
  /** Keeps its own copy. */
  public LedgerReport {
    epochs = List.copyOf(epochs);
  }

  /** Whether every item came exactly once in every epoch; ledgers without a batch prove nothing. */
  public boolean exactlyOnce() {
    return (items == 0 || !epochs.isEmpty()) && epochs.stream().allMatch(EpochReport::exactlyOnce);
  }

  /** Whether no item came twice in an epoch; some may be missing. */
  public boolean atMostOnce() {
    return epochs.stream().allMatch(epoch -> epoch.doubled() == 0);
  }
}
