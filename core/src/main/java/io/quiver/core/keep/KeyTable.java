package io.quiver.core.keep;

import java.util.Arrays;

/**
 * Keys with their lengths in primitive arrays. Entries are numbered from 0 without gaps: when one
 * goes, the last takes its number, so that other arrays can lie beside these.
 *
 * <p>The hash table has entry numbers, probes linearly and shifts back on removal. Arrays grow by
 * an eighth: memory for each entry matters more here than the copying.
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
      reshape(size + Math.max(FIRST_ENTRIES, size >>> 3));
    }
    if ((size + 1) * 4L > slots.length * 3L) {
      rehash(slots.length * 2);
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
    reshape(Math.max(FIRST_ENTRIES, size + (size >>> 3)));
    int wanted = FIRST_SLOTS;
    while (size * 4L > wanted * 3L) {
      wanted *= 2;
    }
    rehash(wanted);
    return true;
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
    return (int) (mix(key) >>> 32) & (slots.length - 1);
  }

  private int slotOf(long key) {
    int slot = home(key);
    while (slots[slot] != 0 && keys[slots[slot] - 1] != key) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private void removeSlot(int slot) {
    int mask = slots.length - 1;
    int hole = slot;
    int probe = (slot + 1) & mask;
    while (slots[probe] != 0) {
      int home = home(keys[slots[probe] - 1]);
      if (((probe - home) & mask) >= ((probe - hole) & mask)) {
        slots[hole] = slots[probe];
        hole = probe;
      }
      probe = (probe + 1) & mask;
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
