package io.quiver.simulator.keep;

/**
 * A cache with one rule of eviction, to compare with. The bytes in use never exceed its capacity,
 * and an item longer than the capacity is never kept.
 */
public interface Evicting {
  /**
   * Reads an item. One that is absent is inserted, unless the rule refuses it, and others go for it
   * as the rule says. A study in which inserting takes time asks {@link #holds} first, and calls
   * this at once for a hit or when the bytes of a miss have arrived.
   *
   * @param bytes its length, the same at each read
   * @return true if it was kept before
   */
  boolean read(long key, long bytes);

  /** Returns true if an item is kept; does not count as a read. */
  boolean holds(long key);

  /** Returns the bytes of all items kept. */
  long usedBytes();
}
