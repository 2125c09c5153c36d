package io.quiver.http;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Keeps the time that a connection may still take for what it is doing. The connection's own thread
 * says what it waits for and reports progress; the {@link TimeoutWatch} looks from outside and cuts
 * the connection when its time is up. So no read or write needs a timeout of its own.
 *
 * <p>Only every {@link #PROGRESS_BYTES} moved count as progress: a peer that trickles single bytes
 * is as dead as one that sends none.
 */
public final class RequestTimeouts {
  /** Bytes that must move within the stall timeout for a body or an answer to go on. */
  static final long PROGRESS_BYTES = 64 << 10;

  /** Under pressure a stalled answer is cut after this share of the stall timeout. */
  private static final long PRESSURE_DIVISOR = 8;

  /** The thing a connection is waiting for. */
  enum Phase {
    /** The next request. */
    IDLE,
    /** The rest of a request's head, or a TLS handshake. */
    HEAD,
    /** A body that is being received. */
    RECEIVING,
    /** An answer that is being sent. */
    SENDING,
    /** The server itself; never cut. */
    WORKING
  }

  /**
   * The longest time of each phase.
   *
   * @param idle between two requests
   * @param head for a whole head
   * @param stall for the next {@link #PROGRESS_BYTES} of a body or an answer
   */
  public record Limits(Duration idle, Duration head, Duration stall) {
    Duration shortest() {
      long stalled = stall.toNanos() / PRESSURE_DIVISOR;
      return Duration.ofNanos(Math.min(stalled, Math.min(idle.toNanos(), head.toNanos())));
    }
  }

  private final Limits limits;
  private final LongSupplier nanoTime;
  private volatile long sinceNanos;
  private volatile Phase phase = Phase.HEAD;
  private long movedBytes;
  private long spentNanos;

  RequestTimeouts(Limits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.sinceNanos = nanoTime.getAsLong();
  }

  /** Begins a phase and its time. */
  void begin(Phase next) {
    sinceNanos = nanoTime.getAsLong();
    phase = next;
    movedBytes = 0;
    spentNanos = 0;
  }

  /** Stops the peer's time while the server works between two pieces of a body. */
  void pause() {
    spentNanos = nanoTime.getAsLong() - sinceNanos;
    phase = Phase.WORKING;
  }

  /** Lets the peer's time go on; what the peer spent before the pause still counts. */
  void resume() {
    sinceNanos = nanoTime.getAsLong() - spentNanos;
    phase = Phase.RECEIVING;
  }

  /** Notes that bytes moved; they count only while a body or an answer is under way. */
  void moved(long bytes) {
    movedBytes += bytes;
    if (movedBytes >= PROGRESS_BYTES) {
      movedBytes = 0;
      if (phase == Phase.RECEIVING || phase == Phase.SENDING) {
        sinceNanos = nanoTime.getAsLong();
      }
    }
  }

  boolean idle() {
    return phase == Phase.IDLE;
  }

  /**
   * Returns true if time is up.
   *
   * @param pressure whether others are waiting for the bytes this connection may be holding
   */
  boolean exhausted(long nowNanos, boolean pressure) {
    long since = sinceNanos;
    return switch (phase) {
      case IDLE -> nowNanos - since > limits.idle.toNanos();
      case HEAD -> nowNanos - since > limits.head.toNanos();
      case RECEIVING, SENDING ->
          nowNanos - since > limits.stall.toNanos() / (pressure ? PRESSURE_DIVISOR : 1);
      case WORKING -> false;
    };
  }
}
