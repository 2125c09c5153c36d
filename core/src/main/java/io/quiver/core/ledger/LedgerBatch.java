package io.quiver.core.ledger;

import io.quiver.core.order.Draw;
import java.util.Arrays;

/** One batch that a rank delivered to its training loop. */
public final class LedgerBatch {
  private final int epoch;
  private final long step;
  private final int[] items;
  private final int padding;

  /**
   * Makes a batch from its parts.
   *
   * @param epoch the epoch, from 0
   * @param step the batch's number within the rank's epoch, from 0
   * @param items what was delivered, in order; padding comes last
   * @param padding how many of the last items are padding
   */
  public LedgerBatch(int epoch, long step, int[] items, int padding) {
    if (epoch < 0 || step < 0) {
      throw new IllegalArgumentException("epoch " + epoch + ", step " + step);
    }
    if (padding < 0 || padding > items.length) {
      throw new IllegalArgumentException(padding + " of " + items.length + " items are padding");
    }
    this.epoch = epoch;
    this.step = step;
    this.items = items.clone();
    this.padding = padding;
  }

  /** Returns what was delivered of a draw. */
  public static LedgerBatch of(int epoch, long step, Draw draw, int[] delivered) {
    return new LedgerBatch(epoch, step, draw.paddingLast(delivered), draw.paddingAmong(delivered));
  }

  /** Returns the epoch, from 0. */
  public int epoch() {
    return epoch;
  }

  /** Returns the batch's number within the rank's epoch, from 0. */
  public long step() {
    return step;
  }

  /** Returns how many items were delivered, padding included. */
  public int size() {
    return items.length;
  }

  /** Returns the item at a place. */
  public int item(int place) {
    return items[place];
  }

  /** Returns all items in order; padding comes last. */
  public int[] items() {
    return items.clone();
  }

  /** Returns how many of the last items are padding. */
  public int padding() {
    return padding;
  }

  /** Returns true if the item at a place only repeats another rank's, to keep the ranks in step. */
  public boolean isPadding(int place) {
    return place >= items.length - padding;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LedgerBatch that
        && epoch == that.epoch
        && step == that.step
        && padding == that.padding
        && Arrays.equals(items, that.items);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * epoch + Long.hashCode(step)) + Arrays.hashCode(items);
  }

  @Override
  public String toString() {
    return "epoch " + epoch + ", step " + step + ", " + items.length + " items, padding " + padding;
  }
}
