package io.quiver.simulator.model;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The slices that wait at a link in one priority, first come first served; grows as needed. */
final class SliceQueue {
  private static final int FIRST_CAPACITY = 16;

  private @Nullable Transfer[] transfers = new @Nullable Transfer[FIRST_CAPACITY];
  private long[] bytes = new long[FIRST_CAPACITY];
  private int[] stages = new int[FIRST_CAPACITY];
  private int head;
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  void add(Transfer transfer, int stage, long length) {
    if (size == bytes.length) {
      grow();
    }
    int at = (head + size++) & (bytes.length - 1);
    transfers[at] = transfer;
    stages[at] = stage;
    bytes[at] = length;
  }

  /** Bytes of the first entry that have not been served. */
  long firstBytes() {
    return bytes[head];
  }

  @Nullable Transfer firstTransfer() {
    return transfers[head];
  }

  int firstStage() {
    return stages[head];
  }

  /** Takes so many bytes off the first entry; it goes when none is left. */
  void served(long length) {
    bytes[head] -= length;
    if (bytes[head] == 0) {
      transfers[head] = null;
      head = (head + 1) & (bytes.length - 1);
      size--;
    }
  }

  /** Moves the entries of a transfer to another queue, leaving the first few alone. */
  void move(Transfer transfer, int from, SliceQueue target) {
    int count = size;
    int kept = Math.min(from, count);
    for (int i = kept; i < count; i++) {
      int at = (head + i) & (bytes.length - 1);
      Transfer each = Objects.requireNonNull(transfers[at]);
      if (each == transfer) {
        target.add(each, stages[at], bytes[at]);
      } else {
        int to = (head + kept++) & (bytes.length - 1);
        transfers[to] = each;
        stages[to] = stages[at];
        bytes[to] = bytes[at];
      }
    }
    for (int i = kept; i < count; i++) {
      transfers[(head + i) & (bytes.length - 1)] = null;
    }
    size = kept;
  }

  private void grow() {
    int old = bytes.length;
    @Nullable Transfer[] unrolled = new @Nullable Transfer[2 * old];
    long[] unrolledBytes = new long[2 * old];
    int[] unrolledStages = new int[2 * old];
    for (int i = 0; i < size; i++) {
      int at = (head + i) & (old - 1);
      unrolled[i] = transfers[at];
      unrolledBytes[i] = bytes[at];
      unrolledStages[i] = stages[at];
    }
    transfers = Arrays.copyOf(unrolled, unrolled.length);
    bytes = unrolledBytes;
    stages = unrolledStages;
    head = 0;
  }
}
