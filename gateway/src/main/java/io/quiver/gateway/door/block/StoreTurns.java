package io.quiver.gateway.door.block;

import io.quiver.client.loader.FetchGate;
import io.quiver.client.loader.StoreReads;
import io.quiver.core.engine.FetchLanes.Lane;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * Gives turns at the store: to what programs wait for first, then to what is read ahead of them,
 * then to what fills the cache for nobody yet. The last have a part of the turns at most.
 */
final class StoreTurns {
  /** One part of so many of the reads under way may fill the cache ahead of time. */
  private static final int FILL_PART = 2;

  private final FetchGate gate;

  /** Lets at most so many read at once. */
  StoreTurns(int reads) {
    this.gate = new FetchGate(new StoreReads(reads, Math.max(1, reads / FILL_PART)));
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
    gate.leave(lane);
  }

  /** Gives no turn any more, and waits until all have ended; returns true if they have. */
  boolean close(Duration longest) {
    return gate.close(longest);
  }
}
