package io.quiver.core.stream.tree;

import io.quiver.core.stream.StreamWindow;
import io.quiver.core.stream.StreamWindow.Indexing;

/** Makes windows for recognition of the latest reads of a stream. */
final class WindowMaker {
  private WindowMaker() {}

  /** Turns the slot of a child into its index under a rule. */
  @FunctionalInterface
  interface SlotIndex {
    int of(int slot, Indexing rule);
  }

  /** Turns the index of a child and a place below it into the index of an item. */
  @FunctionalInterface
  interface ItemIndex {
    int of(int child, int place);
  }

  /**
   * Returns the latest reads, the oldest first.
   *
   * @param most most reads
   * @param nowMillis the time as of which ages count
   */
  static StreamWindow window(
      ReadRing ring,
      int most,
      Indexing rule,
      int population,
      SlotIndex children,
      ItemIndex items,
      int nowMillis) {
    int size = Math.min(most, ring.size());
    int[] indices = new int[size];
    int[] readers = new int[size];
    int[] ages = new int[size];
    for (int i = 0; i < size; i++) {
      int age = size - 1 - i;
      indices[i] = items.of(children.of(ring.slot(age), rule), ring.place(age));
      readers[i] = reader(ring, age, readers, i, size);
      ages[i] = Math.max(0, nowMillis - ring.millis(age));
    }
    return new StreamWindow(rule, population, indices, readers, ages);
  }

  /** Numbers readers in the order in which they appear. */
  private static int reader(ReadRing ring, int age, int[] numbers, int i, int size) {
    int next = 0;
    for (int k = i - 1; k >= 0; k--) {
      if (ring.reader(size - 1 - k) == ring.reader(age)) {
        return numbers[k];
      }
      next = Math.max(next, numbers[k] + 1);
    }
    return next;
  }
}
