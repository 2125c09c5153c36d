package io.quiver.core.keep;

import java.util.Arrays;

/**
 * Keys with their lengths in primitive arrays. Entries are numbered from 0 without gaps: when one
 * goes, the last takes its number, so that other arrays can lie beside these.
 *
 * <p>The hash table has entry numbers, probes linearly and shifts back on removal. Arrays grow by a
 * sixteenth and the table by a quarter: memory for each entry matters more here than the copying.
 */
final class KeyTable {
  private static final int FIRST_ENTRIES = 16;
  private static final int FIRST_SLOTS = 32;

  private long[] keys = new long[FIRST_ENTRIES];
  private int[] lengths = new int[FIRST_ENTRIES];
  private int[] slots = new int[FIRST_SLOTS]; // entry number + 1, 0 where empty
  private int size;
  private long usedBytes;

  int size() {
    return size;
  }

  long usedBytes() {
    return usedBytes;
  }

  /** Returns how many entries fit before the arrays grow. */
  int capacity() {
    return keys.length;
  }

  long key(int entry) {
    return keys[entry];
  }

  int bytes(int entry) {
    return lengths[entry];
  }

  /** Returns the number of a key's entry, or -1. */
  int find(long key) {
    int slot = slotOf(key);
    return slots[slot] - 1;
  }

  /** Adds a key that is absent; returns its number. */
  int add(long key, int bytes) {
    if (size == keys.length) {
      reshape(grown(size));
    }
    if ((size + 1) * 5L > slots.length * 3L) {
      rehash(slots.length + slots.length / 4);
    }
    keys[size] = key;
    lengths[size] = bytes;
    slots[slotOf(key)] = size + 1;
    usedBytes += bytes;
    return size++;
  }

  /** Removes an entry; afterwards the entry that had number {@link #size()} has its number. */
  void remove(int entry) {
    removeSlot(slotOf(keys[entry]));
    usedBytes -= lengths[entry];
    int last = size - 1;
    if (entry != last) {
      slots[slotOf(keys[last])] = entry + 1;
      keys[entry] = keys[last];
      lengths[entry] = lengths[last];
    }
    size = last;
  }

  /** Gives memory back after many entries have gone; returns true if the capacity changed. */
  boolean trim() {
    if (size > keys.length / 2 || keys.length <= FIRST_ENTRIES) {
      return false;
    }
    reshape(grown(size));
    rehash(Math.max(FIRST_SLOTS, (int) (size * 2L)));
    return true;
  }

  private static int grown(int entries) {
    return entries + Math.max(FIRST_ENTRIES, entries >>> 4);
  }

  private void reshape(int entries) {
    keys = Arrays.copyOf(keys, entries);
    lengths = Arrays.copyOf(lengths, entries);
  }

  private void rehash(int length) {
    slots = new int[length];
    for (int entry = 0; entry < size; entry++) {
      slots[slotOf(keys[entry])] = entry + 1;
    }
  }

  private int home(long key) {
    return (int) (((mix(key) >>> 32) * slots.length) >>> 32);
  }

  private int slotOf(long key) {
    int slot = home(key);
    while (slots[slot] != 0 && keys[slots[slot] - 1] != key) {
      slot = after(slot);
    }
    return slot;
  }

  private int after(int slot) {
    return slot + 1 == slots.length ? 0 : slot + 1;
  }

  /** Returns how many slots further one is than another, around the end. */
  private int distance(int from, int to) {
    return to >= from ? to - from : to - from + slots.length;
  }

  private void removeSlot(int slot) {
    int hole = slot;
    int probe = after(slot);
    while (slots[probe] != 0) {
      int home = home(keys[slots[probe] - 1]);
      if (distance(home, probe) >= distance(hole, probe)) {
        slots[hole] = slots[probe];
        hole = probe;
      }
      probe = after(probe);
    }
    slots[hole] = 0;
  }

  /** Spreads the bits of a key: callers may number their blobs one by one. */
  static long mix(long key) {
    long bits = (key ^ (key >>> 33)) * 0xff51afd7ed558ccdL;
    bits = (bits ^ (bits >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return bits ^ (bits >>> 33);
  }

  long memoryBytes() {
    return (long) Long.BYTES * keys.length
        + (long) Integer.BYTES * lengths.length
        + (long) Integer.BYTES * slots.length;
  }
}
