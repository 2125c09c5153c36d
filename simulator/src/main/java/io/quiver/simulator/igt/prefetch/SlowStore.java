package io.quiver.simulator.igt.prefetch;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A distant store: every answer begins after a latency, and all answers share a link on which they
 * pass one after another, in the order in which they were asked for. A door asks for no more than
 * so many at once; others wait until one has been answered.
 */
final class SlowStore {
  /** Measured by the paper (IGTCache, §5.1). */
  static final long LATENCY_NANOS = 150_000_000;

  private static final double NANOS_PER_BYTE = 8.0; // 1 Gb/s

  /** Most reads that a door has under way at once. */
  private static final int TURNS = 64;

  private final Queue<Long> turns = new ArrayDeque<>(); // when each of the latest reads ends
  private long linkFree;
  private long bytes;

  /** Returns the time at which the answer to a read that is made now has arrived. */
  long read(long now, int length) {
    bytes += length;
    long turn = turns.size() < TURNS ? now : Math.max(now, turns.remove());
    linkFree = Math.max(turn + LATENCY_NANOS, linkFree) + Math.round(length * NANOS_PER_BYTE);
    turns.add(linkFree);
    return linkFree;
  }

  /** Returns the bytes of all reads. */
  long bytes() {
    return bytes;
  }
}
