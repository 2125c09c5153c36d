package io.quiver.store.ssd;

import java.util.concurrent.locks.StampedLock;
import java.util.function.LongConsumer;

/**
 * One shard of the index: a table and its lock.
 *
 * <p>Readers are optimistic: they look and then ask whether anybody wrote meanwhile. A table grows
 * by a third when it is four fifths full, which keeps it at 20 to 27 bytes an entry; the old one is
 * retired through {@link Epochs}, because readers may still be in it.
 */
final class IndexShard {
  private static final int FIRST_SLOTS = 16;
  private static final int OPTIMISTIC_ATTEMPTS = 8;

  private final Epochs epochs;
  private final StampedLock lock = new StampedLock();
  private volatile IndexTable table = new IndexTable(FIRST_SLOTS);
  private int size;
  private int names;

  IndexShard(Epochs epochs) {
    this.epochs = epochs;
  }

  /** Looks a tag up; fills the probe and returns the location, or 0 if the tag is absent. */
  long find(long tag, Index.Probe probe) {
    for (int attempt = 0; attempt < OPTIMISTIC_ATTEMPTS; attempt++) {
      long stamp = lock.tryOptimisticRead();
      if (stamp != 0) {
        look(tag, probe);
        if (lock.validate(stamp)) {
          return probe.location;
        }
      }
      Thread.onSpinWait();
    }
    long stamp = lock.readLock();
    try {
      look(tag, probe);
      return probe.location;
    } finally {
      lock.unlockRead(stamp);
    }
  }

  /**
   * Returns the address of the slot where a lookup will begin; good for as long as the epoch lasts.
   */
  long slotAddress(long tag) {
    return table.slotAddress(tag);
  }

  private void look(long tag, Index.Probe probe) {
    IndexTable current = table;
    int slot = current.slotOf(tag);
    probe.location = slot < 0 ? 0 : current.location(slot);
    probe.marks = slot < 0 ? 0 : (int) (current.word(slot) & IndexTable.MARKS);
  }

  /** Adds an entry; returns false if the tag is present already. */
  boolean insert(long tag, int marks, long location) {
    long stamp = lock.writeLock();
    try {
      if (table.slotOf(tag) >= 0) {
        return false;
      }
      if ((size + 1) * 5L > table.slots * 4L) {
        rebuild(table.slots + table.slots / 3, (any, marked) -> false);
      }
      table.add(tag | marks, location);
      size++;
      names += Location.isName(location) ? 1 : 0;
      return true;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Changes an entry's location and marks, if it still is where the caller believes. */
  boolean replace(long tag, long expected, int marks, long location) {
    long stamp = lock.writeLock();
    try {
      int slot = slotAt(tag, expected);
      if (slot >= 0) {
        table.set(slot, tag | marks, location);
      }
      return slot >= 0;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Removes an entry, if it still is where the caller believes. */
  boolean remove(long tag, long expected) {
    long stamp = lock.writeLock();
    try {
      int slot = slotAt(tag, expected);
      if (slot >= 0) {
        table.removeAt(slot);
        size--;
        names -= Location.isName(expected) ? 1 : 0;
      }
      return slot >= 0;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  private int slotAt(long tag, long expected) {
    int slot = table.slotOf(tag);
    return slot >= 0 && table.location(slot) == expected ? slot : -1;
  }

  /** Records the epoch in which an entry's bytes were right, if the entry has not moved. */
  void verified(long tag, long expected, int epoch) {
    long stamp = lock.writeLock();
    try {
      int slot = slotAt(tag, expected);
      if (slot >= 0) {
        table.set(slot, (table.word(slot) & ~Index.VERIFIED) | epoch, expected);
      }
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Removes every unshared entry that matches and reports the location of each of them. */
  void removeUnshared(Index.EntryFilter doomed, LongConsumer removed) {
    long stamp = lock.writeLock();
    try {
      int kept = 0;
      int keptNames = 0;
      for (int slot = 0; slot < table.slots; slot++) {
        if (survives(table, slot, doomed)) {
          kept++;
          keptNames += Location.isName(table.location(slot)) ? 1 : 0;
        } else if (table.location(slot) != 0) {
          removed.accept(table.location(slot));
        }
      }
      if (kept < size) {
        rebuild(Math.max(FIRST_SLOTS, kept + kept / 2), doomed);
        size = kept;
        names = keptNames;
      }
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Tells entries without the mark; the shard's number completes a tag to a fingerprint. */
  void forEachOwnedAtHome(int number, Index.EntryConsumer consumer) {
    long stamp = lock.readLock();
    try {
      for (int slot = 0; slot < table.slots; slot++) {
        if (table.location(slot) != 0 && (table.word(slot) & Index.DISOWNED) == 0) {
          consumer.entry((table.word(slot) & ~IndexTable.MARKS) | number, table.location(slot));
        }
      }
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private void rebuild(int slots, Index.EntryFilter doomed) {
    IndexTable old = table;
    IndexTable next = new IndexTable(slots);
    for (int slot = 0; slot < old.slots; slot++) {
      if (survives(old, slot, doomed)) {
        next.add(old.word(slot), old.location(slot));
      }
    }
    table = next;
    epochs.retire(old::free);
  }

  private static boolean survives(IndexTable from, int slot, Index.EntryFilter doomed) {
    long location = from.location(slot);
    int marks = (int) (from.word(slot) & IndexTable.MARKS);
    return location != 0 && ((marks & Index.SHARED) != 0 || !doomed.matches(location, marks));
  }

  int size() {
    long stamp = lock.readLock();
    try {
      return size;
    } finally {
      lock.unlockRead(stamp);
    }
  }

  /** Returns how many of the entries are names. */
  int names() {
    long stamp = lock.readLock();
    try {
      return names;
    } finally {
      lock.unlockRead(stamp);
    }
  }

  long bytes() {
    return table.bytes();
  }

  void free() {
    table.free();
  }
}
