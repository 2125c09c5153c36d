package io.quiver.store.ssd;

import java.util.Arrays;

/**
 * Keeps where the reference records of shared blobs lie, outside the heap: 20 to 27 bytes a
 * reference while the number grows. The space of a reference is the space of its segment, so a
 * location says who owns the blob.
 *
 * <p>The references of one blob change under the blob's lock. Unlike those of {@link Index},
 * lookups are rare: readers of blobs never make one, unless somebody listens.
 */
final class References {
  private static final int SHARDS = Index.SHARDS;
  private static final long[] NONE = {};

  private final Shard[] shards = new Shard[SHARDS];

  References() {
    Arrays.setAll(shards, any -> new Shard());
  }

  /** Takes a reference: the fingerprint of its blob and its location. */
  @FunctionalInterface
  interface Visitor {
    void reference(long fingerprint, long location);
  }

  void add(long fingerprint, long location) {
    shard(fingerprint).add(fingerprint, location);
  }

  /** Removes a reference; returns false if there is none at this location. */
  boolean remove(long fingerprint, long location) {
    return shard(fingerprint).remove(fingerprint, location);
  }

  /** Returns the locations of a blob's references, in no particular order. */
  long[] of(long fingerprint) {
    return shard(fingerprint).of(fingerprint);
  }

  /**
   * Tells every reference, one part after the other. The visitor may change references; it may hear
   * of some that are gone, and not of those that are new.
   */
  void forEach(Visitor visitor) {
    for (int number = 0; number < SHARDS; number++) {
      forEach(number, visitor);
    }
  }

  /** Tells the references of one shard: those of the blobs in the same shard of the index. */
  void forEach(int number, Visitor visitor) {
    long[] entries = shards[number].entries();
    for (int i = 0; i < entries.length; i += 2) {
      visitor.reference(entries[i] | number, entries[i + 1]);
    }
  }

  long size() {
    return Arrays.stream(shards).mapToLong(Shard::size).sum();
  }

  void free() {
    for (Shard shard : shards) {
      shard.table.free();
    }
  }

  private Shard shard(long fingerprint) {
    return shards[(int) (fingerprint & (SHARDS - 1))];
  }

  /** A part of the references; entries of one blob lie in one run of the table. */
  private static final class Shard {
    private static final int FIRST_SLOTS = 16;

    private IndexTable table = new IndexTable(FIRST_SLOTS);
    private int size;

    synchronized void add(long fingerprint, long location) {
      if ((size + 1) * 5L > table.slots * 4L) {
        rebuild(table.slots + table.slots / 3);
      }
      table.add(tag(fingerprint), location);
      size++;
    }

    // Never shrinks: removals come in the order of slots, and what is left would crowd one end.
    synchronized boolean remove(long fingerprint, long location) {
      int slot = table.slotOf(tag(fingerprint));
      while (slot >= 0 && table.location(slot) != location) {
        slot = table.slotAfter(slot, tag(fingerprint));
      }
      if (slot < 0) {
        return false;
      }
      table.removeAt(slot);
      size--;
      return true;
    }

    synchronized long[] of(long fingerprint) {
      long[] found = NONE;
      long tag = tag(fingerprint);
      for (int slot = table.slotOf(tag); slot >= 0; slot = table.slotAfter(slot, tag)) {
        found = Arrays.copyOf(found, found.length + 1);
        found[found.length - 1] = table.location(slot);
      }
      return found;
    }

    synchronized long[] entries() {
      long[] entries = new long[2 * size];
      int at = 0;
      for (int slot = 0; slot < table.slots; slot++) {
        if (table.location(slot) != 0) {
          entries[at++] = table.word(slot);
          entries[at++] = table.location(slot);
        }
      }
      return entries;
    }

    synchronized int size() {
      return size;
    }

    private void rebuild(int slots) {
      IndexTable next = new IndexTable(slots);
      for (int slot = 0; slot < table.slots; slot++) {
        if (table.location(slot) != 0) {
          next.add(table.word(slot), table.location(slot));
        }
      }
      table.free();
      table = next;
    }

    private static long tag(long fingerprint) {
      return fingerprint & ~IndexTable.MARKS;
    }
  }
}
