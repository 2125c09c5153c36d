package io.quiver.core.keep;

import java.util.Arrays;

/** Doubly linked queues of the entries of a {@link KeyTable}, as two arrays beside it. */
final class EntryLinks {
  private static final int NONE = -1;

  private int[] older = new int[0];
  private int[] newer = new int[0];

  /** A queue's ends and the bytes in it. */
  static final class Queue {
    private int oldest = NONE;
    private int newest = NONE;
    private long bytes;

    boolean isEmpty() {
      return oldest == NONE;
    }

    int oldest() {
      return oldest;
    }

    long bytes() {
      return bytes;
    }
  }

  /** Makes the arrays as long as the table's. */
  void fit(int capacity) {
    if (older.length != capacity) {
      older = Arrays.copyOf(older, capacity);
      newer = Arrays.copyOf(newer, capacity);
    }
  }

  /** Appends an entry as the newest of a queue. */
  void append(Queue queue, int entry, int bytes) {
    older[entry] = queue.newest;
    newer[entry] = NONE;
    if (queue.newest == NONE) {
      queue.oldest = entry;
    } else {
      newer[queue.newest] = entry;
    }
    queue.newest = entry;
    queue.bytes += bytes;
  }

  /** Takes an entry out of its queue. */
  void remove(Queue queue, int entry, int bytes) {
    int before = older[entry];
    int after = newer[entry];
    if (before == NONE) {
      queue.oldest = after;
    } else {
      newer[before] = after;
    }
    if (after == NONE) {
      queue.newest = before;
    } else {
      older[after] = before;
    }
    queue.bytes -= bytes;
  }

  /** Renames an entry in its queue. */
  void renumber(Queue queue, int from, int to) {
    int before = older[from];
    int after = newer[from];
    older[to] = before;
    newer[to] = after;
    if (before == NONE) {
      queue.oldest = to;
    } else {
      newer[before] = to;
    }
    if (after == NONE) {
      queue.newest = to;
    } else {
      older[after] = to;
    }
  }

  long memoryBytes() {
    return (long) Integer.BYTES * (older.length + newer.length);
  }
}
