package io.quiver.core.order;

import java.util.Arrays;
import java.util.List;

/**
 * Where a job stands in an epoch: enough to go on after a restart, also with another number of
 * ranks. Counts what was delivered to the training loop, not what was read ahead.
 */
public final class EpochState {
  private final long seed;
  private final int epoch;
  private final int items;
  private final long[] delivered;

  /**
   * A state from its parts, as they were saved.
   *
   * @param seed the job's seed
   * @param epoch the epoch it is in
   * @param items how many items the data set has
   * @param delivered a bit for each item delivered in this epoch by the ranks this state speaks for
   */
  public EpochState(long seed, int epoch, int items, long[] delivered) {
    this.seed = seed;
    this.epoch = epoch;
    this.items = items;
    this.delivered = ItemBits.of(items, delivered).words();
  }

  /** One state for all ranks, from the state of each. */
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

  /** Refuses a setup that this state was not made with. */
  void requireFits(OrderSetup setup) {
    if (items != setup.items() || seed != setup.seed()) {
      throw new IllegalArgumentException(
          "a state of "
              + items
              + " items and seed "
              + seed
              + " does not fit a job of "
              + setup.items()
              + " items and seed "
              + setup.seed());
    }
  }

  /** The job's seed. */
  public long seed() {
    return seed;
  }

  /** The epoch it is in. */
  public int epoch() {
    return epoch;
  }

  /** How many items the data set has. */
  public int items() {
    return items;
  }

  /** One bit for each item, in words of 64 from the lowest bit up. */
  public long[] delivered() {
    return delivered.clone();
  }

  /** How many items were delivered. */
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
    return "epoch "
        + epoch
        + " of seed "
        + seed
        + ", "
        + deliveredItems()
        + " of "
        + items
        + " items delivered";
  }
}
