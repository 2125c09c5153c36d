package io.quiver.core.order;

import java.util.Optional;

/**
 * Decides which items one rank of a job reads next in one epoch. {@link EpochOrder} gives every
 * item exactly once; {@link ListOrder} follows a known list that may repeat items.
 *
 * <p>A draw is out until it is settled; several may be out at once. A caller that delivers each
 * draw whole, with what {@link Draw#missing} names, gets whole batches. One that delivers only what
 * it found is given items to fetch afterwards, so that an epoch always ends.
 *
 * <p>Not thread-safe: a job draws in one place.
 */
public sealed interface BatchOrder extends UnreadItems permits EpochOrder, ListOrder {
  /**
   * Returns the items to read for the next batch; empty while what is left is out, or at the end of
   * the epoch.
   */
  Optional<Draw> draw(Residency residency, RingRole ringRole);

  /**
   * Ends a draw: the items given were delivered to the training loop, all its others go back.
   *
   * @param delivered a part of the draw's items, no more than its size, each at most as often as
   *     the draw names it
   */
  void settle(Draw draw, int[] delivered);

  /** Returns the progress of this rank, without what is out. */
  OrderState state();

  /** Returns true if every batch of this rank has been delivered. */
  boolean finished();

  /**
   * Returns the items that will be drawn next, in order, as far as they are known whatever is
   * resident; orders that substitute know none.
   *
   * @param count the most items to return
   */
  int[] upcoming(int count);

  /** Returns the number of the epoch. */
  int epoch();
}
