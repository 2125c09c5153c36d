package io.quiver.core.stream.tree;

import java.util.Arrays;

/**
 * The latest reads of a stream: of each its child, its place below that child, its reader and its
 * time. Grows with the reads up to a limit.
 */
final class ReadRing {
  private static final int FIRST = 8;
  private static final int OBJECT_BYTES = 136;
  private static final int FIELDS = 4;

  private int[] slots = new int[FIRST];
  private int[] places = new int[FIRST];
  private int[] readers = new int[FIRST];
  private int[] times = new int[FIRST];
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
    if (next == slots.length) {
      if (slots.length < limit) {
        resize(Math.min(limit, 2 * slots.length));
      } else {
        next = 0;
      }
    }
    slots[next] = slot;
    places[next] = place;
    readers[next] = reader;
    times[next] = millis;
    next++;
    size = Math.min(size + 1, slots.length);
  }

  /** Makes it longer; called while the oldest read lies first. */
  private void resize(int length) {
    slots = Arrays.copyOf(slots, length);
    places = Arrays.copyOf(places, length);
    readers = Arrays.copyOf(readers, length);
    times = Arrays.copyOf(times, length);
  }

  int size() {
    return size;
  }

  /** Returns the place in the arrays of a read; 0 is the latest. */
  private int at(int age) {
    int at = next - 1 - age;
    return at >= 0 ? at : at + slots.length;
  }

  int slot(int age) {
    return slots[at(age)];
  }

  int place(int age) {
    return places[at(age)];
  }

  int reader(int age) {
    return readers[at(age)];
  }

  int millis(int age) {
    return times[at(age)];
  }

  /** Gives a read another number of its child. */
  void renumber(int age, int slot) {
    slots[at(age)] = slot;
  }

  void clear() {
    size = 0;
    next = 0;
  }

  /** Returns how many readers the latest reads have, and at most some. */
  int readers(int reads, int most) {
    int[] known = new int[most];
    int count = 0;
    for (int age = 0; age < Math.min(reads, size) && count < most; age++) {
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
    return OBJECT_BYTES + (long) FIELDS * Integer.BYTES * slots.length;
  }
}
