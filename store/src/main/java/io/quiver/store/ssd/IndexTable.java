package io.quiver.store.ssd;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;

/**
 * Stores 16-byte slots outside the heap by open addressing, without any locking of its own.
 *
 * <pre>
 *         63                                    8 7      0
 *  word  | 56 bits of the hash                   | marks  |
 *        | location, 0 when the slot is empty             |
 * </pre>
 *
 * <p>A slot's home follows from the hash bits in it, so that a table can be rebuilt from itself. A
 * secret is mixed in: whoever could tell homes would insert blobs whose homes lie side by side, and
 * every lookup there would walk past all of them. Probing is linear and removal shifts back: there
 * are no tombstones.
 */
final class IndexTable {
  static final int SLOT_BYTES = 16;
  static final long MARKS = 0xff;

  /** Differs from process to process; a table lives no longer than its process. */
  private static final long SECRET = new SecureRandom().nextLong();

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;

  private final MemorySegment memory;
  final int slots;

  IndexTable(int slots) {
    this.slots = slots;
    memory = Libc.zeroed((long) slots * SLOT_BYTES);
  }

  /**
   * Returns the slot of a tag, or a negative number. Ends also when a writer moves slots
   * underneath.
   */
  int slotOf(long tag) {
    return slotFrom(home(tag), tag);
  }

  /** Returns the next slot of a tag that stands in the table more than once, or below 0. */
  int slotAfter(int slot, long tag) {
    return slotFrom(next(slot), tag);
  }

  private int slotFrom(int first, long tag) {
    int slot = first;
    for (int probed = 0; probed < slots; probed++) {
      if (location(slot) == 0) {
        return -1;
      }
      if ((word(slot) & ~MARKS) == tag) {
        return slot;
      }
      slot = next(slot);
    }
    return -1;
  }

  /** Returns the address of the first slot a lookup of this tag reads. */
  long slotAddress(long tag) {
    return memory.address() + (long) home(tag) * SLOT_BYTES;
  }

  /** Adds an entry to a table that is known to have a free slot. */
  void add(long word, long location) {
    int slot = home(word);
    while (location(slot) != 0) {
      slot = next(slot);
    }
    set(slot, word, location);
  }

  void set(int slot, long word, long location) {
    memory.set(WORD, (long) slot * SLOT_BYTES, word);
    memory.set(WORD, (long) slot * SLOT_BYTES + Long.BYTES, location);
  }

  /** Empties a slot and moves up what had been pushed past it. */
  void removeAt(int slot) {
    int hole = slot;
    int probe = next(slot);
    while (location(probe) != 0) {
      if (distance(home(word(probe)), probe) >= distance(hole, probe)) {
        set(hole, word(probe), location(probe));
        hole = probe;
      }
      probe = next(probe);
    }
    set(hole, 0, 0);
  }

  long word(int slot) {
    return memory.get(WORD, (long) slot * SLOT_BYTES);
  }

  long location(int slot) {
    return memory.get(WORD, (long) slot * SLOT_BYTES + Long.BYTES);
  }

  long bytes() {
    return memory.byteSize();
  }

  void free() {
    Libc.free(memory);
  }

  private int home(long word) {
    long mixed = ((word & ~MARKS) ^ SECRET) * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xd6e8feb86659fd93L;
    return (int) (((mixed >>> 32) * slots) >>> 32);
  }

  private int next(int slot) {
    return slot + 1 == slots ? 0 : slot + 1;
  }

  private int distance(int from, int to) {
    return to >= from ? to - from : to - from + slots;
  }
}
