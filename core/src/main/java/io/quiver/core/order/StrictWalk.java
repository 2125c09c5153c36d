package io.quiver.core.order;

/**
 * A rank's items of an epoch in strict order. One seeded permutation of the whole data set is dealt
 * to the ranks item by item, like PyTorch's {@code DistributedSampler} does. After an interruption,
 * what was not delivered is dealt; as many ranks as before go on as if nothing had happened.
 */
final class StrictWalk {
  private final SeededPermutation permutation;
  private final ItemBits before;
  private final int ranks;
  private int place;
  private int skip;

  /**
   * Begins at the first item of a rank.
   *
   * @param before items that were delivered before this order began; not changed meanwhile
   */
  StrictWalk(OrderSetup setup, int epoch, ItemBits before) {
    this(
        new SeededPermutation(setup.items(), SeededRandom.derive(setup.seed(), epoch)),
        before,
        setup.ranks());
    this.skip = setup.rank();
  }

  private StrictWalk(SeededPermutation permutation, ItemBits before, int ranks) {
    this.permutation = permutation;
    this.before = before;
    this.ranks = ranks;
  }

  /** Returns a second walk that is at the same place. */
  StrictWalk copy() {
    StrictWalk copy = new StrictWalk(permutation, before, ranks);
    copy.place = place;
    copy.skip = skip;
    return copy;
  }

  /** Returns the rank's next item. There must be one. */
  int next() {
    int item = at(skip);
    skip = ranks - 1;
    return item;
  }

  /** Goes past so many items that were not delivered before, to the one after them. */
  private int at(int skipped) {
    if (before.count() == 0) {
      place += skipped;
      return permutation.at(place++);
    }
    for (int left = skipped; ; left--) {
      int item = permutation.at(place++);
      while (before.get(item)) {
        item = permutation.at(place++);
      }
      if (left == 0) {
        return item;
      }
    }
  }
}
