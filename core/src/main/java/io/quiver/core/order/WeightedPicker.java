package io.quiver.core.order;

/**
 * Draws lots without putting them back. A Fenwick tree counts the lots each owner has left, so that
 * a draw takes the logarithm of the number of owners.
 */
final class WeightedPicker {
  private final int[] tree;
  private final int top;
  private int total;

  /** Gives each owner so many lots; none below zero. */
  WeightedPicker(int[] lots) {
    tree = new int[lots.length + 1];
    top = Integer.highestOneBit(Math.max(1, lots.length));
    for (int i = 1; i <= lots.length; i++) {
      tree[i] += lots[i - 1];
      total += lots[i - 1];
      int parent = i + (i & -i);
      if (parent <= lots.length) {
        tree[parent] += tree[i];
      }
    }
  }

  /** Returns how many lots are left. */
  int total() {
    return total;
  }

  /** Returns the owner of one lot, every lot as likely as any other; the lot is gone. */
  int draw(SeededRandom random) {
    int ticket = random.below(total);
    int owner = 0;
    for (int step = top; step > 0; step >>= 1) {
      int next = owner + step;
      if (next < tree.length && tree[next] <= ticket) {
        ticket -= tree[next];
        owner = next;
      }
    }
    total--;
    for (int i = owner + 1; i < tree.length; i += i & -i) {
      tree[i]--;
    }
    return owner;
  }
}
