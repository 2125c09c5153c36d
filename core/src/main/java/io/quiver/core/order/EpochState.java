package io.quiver.core.order;

import java.util.Arrays;
import java.util.List;

/** The progress of an {@link EpochOrder}: one bit for each item that was delivered. */
public final class EpochState implements OrderState {
  private final long seed;
  private final int epoch;
  private final int items;
  private final long[] delivered;

  /**
   * Creates a state from its parts, as they were saved.
   *
   * @param seed the job's seed
   * @param epoch the number of the epoch
   * @param items how many items the data set has
   * @param delivered a bit for each item delivered in this epoch by the ranks this state speaks for
   */
  public EpochState(long seed, int epoch, int items, long[] delivered) {
    this.seed = seed;
    this.epoch = epoch;
    this.items = items;
    this.delivered = ItemBits.of(items, delivered).words();
  }

  /** Returns one state for all ranks, from the state of each. */
  public static EpochState merge(List<EpochState> ranks) {
    EpochState first = ranks.getFirst();
    long[] union = first.delivered.clone();
    for (EpochState rank : ranks) {
      if (rank.seed != first.seed || rank.epoch != first.epoch || rank.items != first.items) {
        throw new IllegalArgumentException(
            "the states of different epochs or jobs cannot be merged: " + first + " and " + rank);
      }
      for (int i = 0; i < union.length; i++) {
        union[i] |= rank.delivered[i];
      }
    }
    return new EpochState(first.seed, first.epoch, first.items, union);
  }

  @Override
  public long seed() {
    return seed;
  }

  @Override
  public int epoch() {
    return epoch;
  }

  @Override
  public int items() {
    return items;
  }

  /** Returns one bit for each item, in words of 64 from the lowest bit up. */
  public long[] delivered() {
    return delivered.clone();
  }

  /** Returns how many items were delivered. */
  public int deliveredItems() {
    return Arrays.stream(delivered).mapToInt(Long::bitCount).sum();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EpochState that
        && seed == that.seed
        && epoch == that.epoch
        && items == that.items
        && Arrays.equals(delivered, that.delivered);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(delivered) * 31 + epoch;
  }

  @Override
  public String toString() {
    return "epoch %d of seed %d, %d of %d items delivered"
        .formatted(epoch, seed, deliveredItems(), items);
  }
}
