package io.quiver.core.order;

/**
 * Tracks the rest of a rank's epoch and the size of its next batch. With equal steps every rank of
 * a job counts the same number of batches.
 */
final class RankSteps {
  private final int batch;
  private final boolean dropLast;
  private int items;
  private int padding;
  private int promised;
  private int paddingOut;
  private int draws;

  /**
   * Begins with a rank's part of what is left.
   *
   * @param remaining how many items all ranks together have still to deliver
   */
  RankSteps(OrderSetup setup, int remaining) {
    this.batch = setup.batch();
    this.dropLast = setup.dropLast();
    int ranks = setup.ranks();
    boolean longer = setup.rank() < remaining % ranks;
    boolean uneven = remaining % ranks != 0;
    this.items = remaining / ranks + (longer && setup.equalSteps() != EqualSteps.DROP ? 1 : 0);
    this.padding = uneven && !longer && setup.equalSteps() == EqualSteps.PAD ? 1 : 0;
  }

  /**
   * Returns the place, in the order that is dealt to the ranks, of the item a rank repeats as
   * padding: the order begins anew after its end. It is never one of the rank's own.
   */
  static int paddingPlace(OrderSetup setup, int remaining) {
    long place = (long) remaining / setup.ranks() * setup.ranks() + setup.rank();
    return (int) (place % remaining);
  }

  /** Returns how many items of the epoch are neither delivered nor promised. */
  int unpromised() {
    return items - promised;
  }

  /** Returns how many padding items are still to come. */
  int padding() {
    return padding - paddingOut;
  }

  /** Returns how many items the next batch has, padding included; 0 when there is none now. */
  int next() {
    int left = left();
    boolean shortBatch = left < batch;
    return shortBatch && (draws > 0 || dropLast) ? 0 : Math.min(batch, left);
  }

  /** Returns how many items of a next batch of this size are padding: it comes last. */
  int paddingIn(int size) {
    return Math.max(0, size - unpromised());
  }

  void drawn(Draw draw) {
    promised += draw.promised();
    paddingOut += draw.size() - draw.promised();
    draws++;
  }

  void settled(Draw draw, int delivered, int deliveredPadding) {
    promised -= draw.promised();
    paddingOut -= draw.size() - draw.promised();
    items -= delivered;
    padding -= deliveredPadding;
    draws--;
  }

  boolean finished() {
    return draws == 0 && (dropLast ? left() < batch : left() == 0);
  }

  private int left() {
    return unpromised() + padding();
  }
}
