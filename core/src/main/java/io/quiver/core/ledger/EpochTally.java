package io.quiver.core.ledger;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Counts one epoch's deliveries with two bits for each item. */
final class EpochTally {
  private static final int EXAMPLES = 10;

  private final int items;
  private final int epoch;
  private final BitSet once;
  private final BitSet again;
  private final List<Integer> firstDoubled = new ArrayList<>();
  private long batches;
  private long padded;

  EpochTally(int items, int epoch) {
    this.items = items;
    this.epoch = epoch;
    this.once = new BitSet(items);
    this.again = new BitSet(items);
  }

  void add(LedgerBatch batch) {
    batches++;
    padded += batch.padding();
    for (int i = 0; i < batch.size() - batch.padding(); i++) {
      add(batch.item(i));
    }
  }

  private void add(int item) {
    if (!once.get(item)) {
      once.set(item);
    } else if (!again.get(item)) {
      again.set(item);
      if (firstDoubled.size() < EXAMPLES) {
        firstDoubled.add(item);
      }
    }
  }

  EpochReport report() {
    int delivered = once.cardinality();
    return new EpochReport(
        epoch,
        batches,
        delivered,
        items - delivered,
        again.cardinality(),
        padded,
        firstMissing(),
        firstDoubled);
  }

  private List<Integer> firstMissing() {
    List<Integer> missing = new ArrayList<>();
    int item = once.nextClearBit(0);
    while (item < items && missing.size() < EXAMPLES) {
      missing.add(item);
      item = once.nextClearBit(item + 1);
    }
    return missing;
  }
}
