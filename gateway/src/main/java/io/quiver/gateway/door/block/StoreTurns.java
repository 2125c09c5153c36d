package io.quiver.gateway.door.block;

import io.quiver.client.loader.FetchGate;
import io.quiver.client.loader.StoreReads;
import io.quiver.core.engine.FetchLanes.Lane;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Gives turns at the store, and tells when it is idle: nobody reads for a program, and nobody has
 * for a moment. The moment bridges the pauses of a program that reads one block after the other,
 * which would otherwise share the store with blocks that nobody waits for.
 */
final class StoreTurns {
  /** The time without a read for a program after which the store counts as idle. */
  static final Duration QUIET = Duration.ofMillis(50);

  /** One part of so many of the reads under way may fill the cache ahead of time. */
  private static final int FILL_PART = 2;

  private final FetchGate gate;
  private final LongSupplier nanoTime;
  private volatile long lastRead;

  /** Lets at most so many read at once. The store counts as idle at first. */
  StoreTurns(int reads, LongSupplier nanoTime) {
    this.gate = new FetchGate(new StoreReads(reads, Math.max(1, reads / FILL_PART)));
    this.nanoTime = nanoTime;
    this.lastRead = nanoTime.getAsLong() - QUIET.toNanos();
  }

  /**
   * Waits for a turn.
   *
   * @throws InterruptedIOException if there will be none
   */
  void enter(Lane lane) throws InterruptedIOException {
    gate.enter(lane);
  }

  /** Ends a turn. */
  void leave(Lane lane) {
    if (lane != Lane.PRELOAD) {
      lastRead = nanoTime.getAsLong();
    }
    gate.leave(lane);
  }

  /** Returns true if no program has read, or been read ahead of, for a moment. */
  boolean isIdle() {
    return gate.isIdle() && nanoTime.getAsLong() - lastRead >= QUIET.toNanos();
  }

  /** Gives no turn any more, and waits until all have ended; returns true if they have. */
  boolean close(Duration longest) {
    return gate.close(longest);
  }
}
