package io.quiver.core.order;

import java.util.Arrays;
import java.util.List;

/**
 * The progress of a {@link ListOrder}: the list, the position before which every entry was
 * delivered, and the few places beyond it that were delivered already.
 */
public final class ListState implements OrderState {
  private final long seed;
  private final int epoch;
  private final ItemList list;
  private final ItemBits delivered;
  private final int position;

  private ListState(long seed, int epoch, ItemList list, ItemBits delivered) {
    this.seed = seed;
    this.epoch = epoch;
    this.list = list;
    this.delivered = delivered;
    int first = ItemBits.nextClear(delivered, delivered, 0, list.size());
    this.position = first < 0 ? list.size() : first;
  }

  /**
   * Creates a state from its parts, as they were saved.
   *
   * @param seed the job's seed
   * @param epoch the number of the epoch
   * @param list the epoch's list
   * @param position how many entries at the front of the list were all delivered
   * @param ahead a bit for each place of the list from the position on, in words of 64 from the
   *     lowest bit up; set if the entry was delivered; words of zeros at the end may be left out
   */
  public static ListState of(long seed, int epoch, ItemList list, int position, long[] ahead) {
    if (position < 0 || position > list.size()) {
      throw new IllegalArgumentException("position " + position + " of " + list);
    }
    ItemBits delivered = new ItemBits(list.size());
    for (int place = 0; place < position; place++) {
      delivered.set(place);
    }
    for (int i = 0; i < 64 * ahead.length; i++) {
      if ((ahead[i >> 6] >>> i & 1) != 0) {
        if (i >= list.size() - position) {
          throw new IllegalArgumentException("bits are set beyond the last entry of " + list);
        }
        delivered.set(position + i);
      }
    }
    return new ListState(seed, epoch, list, delivered);
  }

  /** Returns the state at the beginning of an epoch. */
  public static ListState beginning(long seed, int epoch, ItemList list) {
    return new ListState(seed, epoch, list, new ItemBits(list.size()));
  }

  static ListState of(long seed, int epoch, ItemList list, ItemBits delivered) {
    return new ListState(seed, epoch, list, ItemBits.of(list.size(), delivered.words()));
  }

  /** Returns one state for all ranks, from the state of each. */
  public static ListState merge(List<ListState> ranks) {
    ListState first = ranks.getFirst();
    long[] union = first.delivered.words();
    for (ListState rank : ranks) {
      if (rank.seed != first.seed || rank.epoch != first.epoch || !rank.list.equals(first.list)) {
        throw new IllegalArgumentException(
            "the states of different epochs or jobs cannot be merged: " + first + " and " + rank);
      }
      long[] words = rank.delivered.words();
      Arrays.setAll(union, i -> union[i] | words[i]);
    }
    ItemBits delivered = ItemBits.of(first.list.size(), union);
    return new ListState(first.seed, first.epoch, first.list, delivered);
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
    return list.items();
  }

  /** Returns the epoch's list. */
  public ItemList list() {
    return list;
  }

  /** Returns how many entries at the front of the list were all delivered. */
  public int position() {
    return position;
  }

  /** Returns a bit for each place from the position on, as {@link #of} takes it. */
  public long[] ahead() {
    long[] words = new long[(list.size() - position + 63) >> 6];
    int used = 0;
    for (int place = position; place < list.size(); place++) {
      if (delivered.get(place)) {
        int i = place - position;
        words[i >> 6] |= 1L << i;
        used = (i >> 6) + 1;
      }
    }
    return Arrays.copyOf(words, used);
  }

  /** Returns a bit for each place, in words of 64 from the lowest bit up; set if delivered. */
  public long[] deliveredBits() {
    return delivered.words();
  }

  /** Returns how many entries were delivered. */
  public int deliveredEntries() {
    return delivered.count();
  }

  /** Returns a copy of the bits of delivered places. */
  ItemBits delivered() {
    return ItemBits.of(list.size(), delivered.words());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ListState that
        && seed == that.seed
        && epoch == that.epoch
        && list.equals(that.list)
        && Arrays.equals(delivered.words(), that.delivered.words());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(delivered.words()) * 31 + epoch;
  }

  @Override
  public String toString() {
    return "epoch %d of seed %d, position %d and %d entries delivered of %s"
        .formatted(epoch, seed, position, deliveredEntries(), list);
  }
}
