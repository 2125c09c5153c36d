package io.quiver.core.importance;

/**
 * Tells where the item of each place of a list stands next, in two bytes for each place. In lists
 * of more than 32,767 entries that place is rounded up, by fewer entries than the list has times
 * 32,767: servers need to know no more than about when an item is used.
 */
final class PackedUses {
  private static final int MOST_STEPS = Character.MAX_VALUE;

  private final long base;
  private final int unit;
  private final char[] steps; // from the place itself on; 0 where there is no further use

  /**
   * Packs the next uses of a list.
   *
   * @param base how many entries the lists before this one had together, as in {@link NextUses}
   */
  PackedUses(NextUses uses, long base, int places) {
    this.base = base;
    this.unit = (int) Math.max(1, Math.ceilDiv(2L * places, MOST_STEPS));
    this.steps = new char[places];
    for (int place = 0; place < places; place++) {
      long position = uses.position(place);
      steps[place] = position < 0 ? 0 : (char) Math.ceilDiv(position - base - place, unit);
    }
  }

  /** Returns the position of the next use of the item of a place; -1 if there is none. */
  long position(int place) {
    return steps[place] == 0 ? -1 : base + place + (long) steps[place] * unit;
  }
}
