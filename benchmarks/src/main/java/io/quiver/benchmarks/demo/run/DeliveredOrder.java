package io.quiver.benchmarks.demo.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The order in which a job was given its items, kept to compare it with a plain shuffle. Of data
 * sets that are too large nothing is kept.
 */
final class DeliveredOrder {
  private static final int LARGEST = 1 << 21;
  private static final int MOST_EPOCHS = 4;

  private final int items;
  private final List<int[]> epochs = new ArrayList<>();
  private int length;

  DeliveredOrder(int items) {
    this.items = items;
  }

  /** An epoch begins. */
  void begin() {
    trim();
    if (items <= LARGEST && epochs.size() < MOST_EPOCHS) {
      epochs.add(new int[items]);
      length = 0;
    } else {
      length = items;
    }
  }

  void add(int[] batch) {
    if (epochs.isEmpty() || length + batch.length > items) {
      return;
    }
    System.arraycopy(batch, 0, epochs.getLast(), length, batch.length);
    length += batch.length;
  }

  /** Returns every epoch kept, in order. */
  List<int[]> epochs() {
    trim();
    return List.copyOf(epochs);
  }

  private void trim() {
    if (!epochs.isEmpty() && length < epochs.getLast().length) {
      epochs.set(epochs.size() - 1, Arrays.copyOf(epochs.getLast(), length));
    }
  }
}
