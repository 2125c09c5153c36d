package io.quiver.http;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Keeps the time that a connection may still take for what it is doing. The connection's own thread
 * says what it waits for and reports progress; the {@link TimeoutWatch} looks from outside and cuts
 * the connection when its time is up. So no read or write needs a timeout of its own.
 *
 * <p>Only every {@link #PROGRESS_BYTES} moved count as progress: a peer that trickles single bytes
 * is as dead as one that sends none. On average, bodies and answers move at {@link
 * #LEAST_BYTES_PER_SECOND} or faster once the stall timeout is used up.
 */
public final class RequestTimeouts {
  /** Bytes that must move within the stall timeout for a body or an answer to go on. */
  static final long PROGRESS_BYTES = 64 << 10;

  /** The least average rate of a body or an answer. */
  static final long LEAST_BYTES_PER_SECOND = 64 << 10;

  /** Under pressure a stalled answer is cut after this share of the stall timeout. */
  private static final long PRESSURE_DIVISOR = 8;

  /** The thing a connection is waiting for. */
  enum Phase {
    /** A thread of the server that takes the connection up; never cut. */
    ACCEPTED,
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
   * @param stall for the next {@link #PROGRESS_BYTES} of a body or an answer, and for all that it
   *     lags behind the least rate
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
  // Written after the times and read before them: a time that is read belongs to the phase that was
  // read, or to a later one, and never makes a connection look older than it is.
  private volatile Phase phase = Phase.ACCEPTED;
  // The time until which the bytes moved so far would have taken at the least rate.
  private volatile long paidNanos;
  private long movedBytes;
  private long spentNanos;
  private long unpaidNanos;

  /** Makes one that is never exhausted before the first phase begins. */
  RequestTimeouts(Limits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.sinceNanos = nanoTime.getAsLong();
    this.paidNanos = sinceNanos;
  }

  /** Begins a phase and its time. */
  void begin(Phase next) {
    long now = nanoTime.getAsLong();
    sinceNanos = now;
    paidNanos = now;
    phase = next;
    movedBytes = 0;
    spentNanos = 0;
    unpaidNanos = 0;
  }

  /** Stops the peer's time while the server works between two pieces of a body or an answer. */
  void pause() {
    long now = nanoTime.getAsLong();
    spentNanos = now - sinceNanos;
    unpaidNanos = now - paidNanos;
    phase = Phase.WORKING;
  }

  /** Lets the peer's time go on; what the peer spent before the pause still counts. */
  void resume(Phase next) {
    long now = nanoTime.getAsLong();
    sinceNanos = now - spentNanos;
    paidNanos = now - unpaidNanos;
    phase = next;
  }

  /** Notes that bytes moved; they count only while a body or an answer is under way. */
  void moved(long bytes) {
    movedBytes += bytes;
    if (movedBytes >= PROGRESS_BYTES) {
      long paid = paidNanos; // written by this thread alone
      paidNanos = paid + movedBytes * 1_000_000_000L / LEAST_BYTES_PER_SECOND;
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
   * Returns how long the next request is awaited, or has been arriving; -1 while one is served. A
   * request that has begun counts as younger than any that has not.
   */
  long waitedNanos(long nowNanos) {
    Phase present = phase;
    long waited = Math.max(0, nowNanos - sinceNanos);
    return switch (present) {
      case ACCEPTED, IDLE -> waited + limits.head.toNanos();
      case HEAD -> Math.min(waited, limits.head.toNanos());
      case RECEIVING, SENDING, WORKING -> -1;
    };
  }

  /**
   * Returns true if time is up.
   *
   * @param pressure true if others are waiting for the bytes this connection may be holding
   */
  boolean exhausted(long nowNanos, boolean pressure) {
    Phase present = phase;
    long since = sinceNanos;
    return switch (present) {
      case IDLE -> nowNanos - since > limits.idle.toNanos();
      case HEAD -> nowNanos - since > limits.head.toNanos();
      case RECEIVING, SENDING -> {
        long stall = limits.stall.toNanos() / (pressure ? PRESSURE_DIVISOR : 1);
        yield nowNanos - since > stall || nowNanos - paidNanos > stall;
      }
      case ACCEPTED, WORKING -> false;
    };
  }
}
