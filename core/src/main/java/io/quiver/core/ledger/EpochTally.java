package io.quiver.core.ledger;

import io.quiver.core.order.ItemList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Counts one epoch's deliveries and compares them with what the order promised. */
abstract sealed class EpochTally {
  final int items;
  final List<Integer> firstDoubled = new ArrayList<>();
  private final int epoch;
  private long batches;
  private long padded;

  private EpochTally(int items, int epoch) {
    this.items = items;
    this.epoch = epoch;
  }

  /** Returns a tally that expects every item once. */
  static EpochTally ofEpoch(int items, int epoch) {
    return new Once(items, epoch);
  }

  /** Returns a tally that expects the entries of a list. */
  static EpochTally ofList(ItemList list, int epoch) {
    return new Listed(list, epoch);
  }

  final void add(LedgerBatch batch) {
    batches++;
    padded += batch.padding();
    for (int i = 0; i < batch.size() - batch.padding(); i++) {
      add(batch.item(i));
    }
  }

  abstract void add(int item);

  abstract EpochReport report();

  final void doubled(int item) {
    if (firstDoubled.size() < EpochReport.Examples.MOST) {
      firstDoubled.add(item);
    }
  }

  final EpochReport report(
      int expected, int missing, int doubled, int distinct, List<Integer> firstMissing) {
    return new EpochReport(
        epoch,
        batches,
        expected,
        missing,
        doubled,
        padded,
        distinct,
        new EpochReport.Examples(firstMissing, firstDoubled));
  }

  /** Expects every item once, with two bits for each. */
  private static final class Once extends EpochTally {
    private final BitSet once;
    private final BitSet again;

    Once(int items, int epoch) {
      super(items, epoch);
      this.once = new BitSet(items);
      this.again = new BitSet(items);
    }

    @Override
    void add(int item) {
      if (!once.get(item)) {
        once.set(item);
      } else if (!again.get(item)) {
        again.set(item);
        doubled(item);
      }
    }

    @Override
    EpochReport report() {
      int came = once.cardinality();
      List<Integer> missing = new ArrayList<>();
      int item = once.nextClearBit(0);
      while (item < items && missing.size() < EpochReport.Examples.MOST) {
        missing.add(item);
        item = once.nextClearBit(item + 1);
      }
      return report(items, items - came, again.cardinality(), came, missing);
    }
  }

  /** Expects each item as often as the list has it, with a counter and a bit for each. */
  private static final class Listed extends EpochTally {
    private final ItemList list;
    private final int[] lacking;
    private final BitSet came;
    private int doubled;

    Listed(ItemList list, int epoch) {
      super(list.items(), epoch);
      this.list = list;
      this.lacking = new int[list.items()];
      this.came = new BitSet(list.items());
      for (int place = 0; place < list.size(); place++) {
        lacking[list.at(place)]++;
      }
    }

    @Override
    void add(int item) {
      came.set(item);
      if (--lacking[item] == -1) {
        doubled++;
        doubled(item);
      }
    }

    @Override
    EpochReport report() {
      int missing = 0;
      List<Integer> first = new ArrayList<>();
      for (int item = 0; item < lacking.length; item++) {
        if (lacking[item] > 0) {
          missing += lacking[item];
          if (first.size() < EpochReport.Examples.MOST) {
            first.add(item);
          }
        }
      }
      return report(list.size(), missing, doubled, came.cardinality(), first);
    }
  }
}
