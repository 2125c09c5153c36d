package io.quiver.simulator.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The transfers that wait at a link in one priority, first come first served. The first one lies in
 * the queue itself: most links of a large cluster have no other, and thousands of them do not fit
 * into a processor's cache if each has arrays.
 */
final class SliceQueue {
  private static final int FIRST_CAPACITY = 8;

  private @Nullable Transfer first;
  private long firstBytes;
  private int firstStage;
  // All but the first, in a ring that begins at the head.
  private int head;
  private int others;
  private @Nullable Transfer[] transfers = new @Nullable Transfer[0];
  private long[] bytes = new long[0];
  private int[] stages = new int[0];

  boolean isEmpty() {
    return first == null;
  }

  void add(Transfer transfer, int stage, long length) {
    if (first == null) {
      first = transfer;
      firstStage = stage;
      firstBytes = length;
      return;
    }
    if (others == bytes.length) {
      grow();
    }
    put(others++, transfer, stage, length);
  }

  private int at(int place) {
    return (head + place) & (bytes.length - 1);
  }

  private void put(int place, Transfer transfer, int stage, long length) {
    int at = at(place);
    transfers[at] = transfer;
    stages[at] = stage;
    bytes[at] = length;
  }

  /** Bytes of the first entry that have not been served. */
  long firstBytes() {
    return firstBytes;
  }

  @Nullable Transfer firstTransfer() {
    return first;
  }

  int firstStage() {
    return firstStage;
  }

  /** Takes so many bytes off the first entry; it goes when none is left. */
  void served(long length) {
    firstBytes -= length;
    if (firstBytes == 0) {
      removeFirst();
    }
  }

  private void removeFirst() {
    if (others == 0) {
      first = null;
      return;
    }
    first = transfers[head];
    firstStage = stages[head];
    firstBytes = bytes[head];
    transfers[head] = null;
    head = at(1);
    others--;
  }

  /**
   * Moves the entries of a transfer to another queue, but not the first if that is being served.
   */
  void move(Transfer transfer, boolean served, SliceQueue target) {
    boolean firstMoves = first == transfer && !served;
    if (firstMoves) {
      target.add(transfer, firstStage, firstBytes);
    }
    int count = others;
    int kept = 0;
    for (int place = 0; place < count; place++) {
      int at = at(place);
      Transfer each = Objects.requireNonNull(transfers[at]);
      if (each == transfer) {
        target.add(each, stages[at], bytes[at]);
      } else {
        put(kept++, each, stages[at], bytes[at]);
      }
    }
    for (int place = kept; place < count; place++) {
      transfers[at(place)] = null;
    }
    others = kept;
    if (firstMoves) {
      removeFirst();
    }
  }

  private void grow() {
    int old = bytes.length;
    int capacity = Math.max(FIRST_CAPACITY, 2 * old);
    @Nullable Transfer[] unrolled = new @Nullable Transfer[capacity];
    long[] unrolledBytes = new long[capacity];
    int[] unrolledStages = new int[capacity];
    for (int place = 0; place < others; place++) {
      int at = at(place);
      unrolled[place] = transfers[at];
      unrolledBytes[place] = bytes[at];
      unrolledStages[place] = stages[at];
    }
    transfers = unrolled;
    bytes = unrolledBytes;
    stages = unrolledStages;
    head = 0;
  }
}
