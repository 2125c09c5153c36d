package io.quiver.core.stream.tree;

import java.util.Arrays;

/**
 * The latest reads of a stream: of each its child, its place below that child, its reader and its
 * time. Grows with the reads up to a limit.
 */
final class ReadRing {
  private static final int FIRST = 2;
  private static final int OBJECT_BYTES = 56;

  // The fields of a read lie together.
  private static final int SLOT = 0;
  private static final int PLACE = 1;
  private static final int READER = 2;
  private static final int MILLIS = 3;
  private static final int FIELDS = 4;

  private int[] reads = new int[FIRST * FIELDS];
  private int limit;
  private int next;
  private int size;

  ReadRing(int limit) {
    this.limit = limit;
  }

  /** Keeps at least so many reads from now on. */
  void extend(int most) {
    limit = Math.max(limit, most);
  }

  void add(int slot, int place, int reader, int millis) {
    int length = reads.length / FIELDS;
    if (next == length) {
      if (length < limit) {
        // The oldest read lies first.
        reads = Arrays.copyOf(reads, FIELDS * Math.min(limit, 2 * length));
      } else {
        next = 0;
      }
    }
    int at = FIELDS * next;
    reads[at + SLOT] = slot;
    reads[at + PLACE] = place;
    reads[at + READER] = reader;
    reads[at + MILLIS] = millis;
    next++;
    size = Math.min(size + 1, reads.length / FIELDS);
  }

  int size() {
    return size;
  }

  /** Returns where the fields of a read begin; 0 is the latest. */
  private int at(int age) {
    int at = FIELDS * (next - 1 - age);
    return at >= 0 ? at : at + reads.length;
  }

  int slot(int age) {
    return reads[at(age) + SLOT];
  }

  int place(int age) {
    return reads[at(age) + PLACE];
  }

  int reader(int age) {
    return reads[at(age) + READER];
  }

  int millis(int age) {
    return reads[at(age) + MILLIS];
  }

  /** Gives a read another number of its child. */
  void renumber(int age, int slot) {
    reads[at(age) + SLOT] = slot;
  }

  void clear() {
    size = 0;
    next = 0;
  }

  /** Returns how many readers the latest reads have, and at most some. */
  int readers(int most, int mostReaders) {
    int[] known = new int[mostReaders];
    int count = 0;
    for (int age = 0; age < Math.min(most, size) && count < mostReaders; age++) {
      int reader = reader(age);
      int i = 0;
      while (i < count && known[i] != reader) {
        i++;
      }
      if (i == count) {
        known[count++] = reader;
      }
    }
    return count;
  }

  long heldBytes() {
    return OBJECT_BYTES + (long) Integer.BYTES * reads.length;
  }
}
