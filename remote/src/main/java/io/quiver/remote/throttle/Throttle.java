package io.quiver.remote.throttle;

import io.quiver.remote.retry.Retries.Pause;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Models a slow link shared by all its users: a total rate in bytes per second, and a wait before
 * each request.
 *
 * <p>Bytes are booked in small portions on one timeline. A sender books the next portion behind all
 * others and waits for its end, so concurrent streams take turns and each gets its fair share. A
 * link that was idle gives no more than {@link #burst()} at once when it is used again. Time,
 * waiting and randomness are passed in.
 */
public final class Throttle {
  private static final long BURST_NANOS = 20_000_000;
  private static final long LONGEST_PORTION = 64 * 1024;

  private final double bytesPerNano;
  private final Latency latency;
  private final LongSupplier nanoTime;
  private final Pause pause;
  private final RandomGenerator random;
  private long free;

  /**
   * The latency of requests.
   *
   * @param least every one waits this long
   * @param jitter and up to this much more
   * @param seed of the random part
   */
  public record Latency(Duration least, Duration jitter, long seed) {
    /** No wait. */
    public static final Latency NONE = new Latency(Duration.ZERO, Duration.ZERO, 0);

    public Latency {
      if (least.isNegative() || jitter.isNegative()) {
        throw new IllegalArgumentException(
            "latency cannot be negative: " + least + " with jitter " + jitter);
      }
    }
  }

  /**
   * Returns a link in real time.
   *
   * @param bytesPerSecond over all users together
   */
  public static Throttle realTime(long bytesPerSecond, Latency latency) {
    return new Throttle(bytesPerSecond, latency, System::nanoTime, Throttle::park);
  }

  /** Creates a link over any clock. */
  public Throttle(long bytesPerSecond, Latency latency, LongSupplier nanoTime, Pause pause) {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "a link carries at least 1 byte per second, not " + bytesPerSecond);
    }
    this.bytesPerNano = bytesPerSecond / 1e9;
    this.latency = latency;
    this.nanoTime = nanoTime;
    this.pause = pause;
    this.random = new SplittableRandom(latency.seed());
    this.free = nanoTime.getAsLong();
  }

  /** Returns the bytes an idle link carries at once before it settles to its rate. */
  public long burst() {
    return (long) (BURST_NANOS * bytesPerNano);
  }

  /** Returns the number of bytes booked at a time. */
  int portion() {
    return (int) Math.clamp(burst() / 2, 1, LONGEST_PORTION);
  }

  /** Waits as long as a request takes to be answered. */
  public void request() throws InterruptedIOException {
    await(nanoTime.getAsLong() + drawLatency());
  }

  /** Waits until this many bytes have passed. */
  public void bytes(long count) throws InterruptedIOException {
    for (long left = count; left > 0; left -= portion()) {
      await(book(Math.min(left, portion())));
    }
  }

  private synchronized long drawLatency() {
    long jitter = latency.jitter().toNanos();
    return latency.least().toNanos() + (jitter == 0 ? 0 : random.nextLong(jitter + 1));
  }

  /** Appends a portion to the timeline and returns when it will have passed. */
  private synchronized long book(long count) {
    long earliest = nanoTime.getAsLong() - BURST_NANOS;
    free = Math.max(free, earliest) + Math.round(count / bytesPerNano);
    return free;
  }

  private void await(long until) throws InterruptedIOException {
    try {
      for (long left = until - nanoTime.getAsLong();
          left > 0;
          left = until - nanoTime.getAsLong()) {
        pause.pause(left);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped =
          new InterruptedIOException("interrupted while waiting for a throttled store");
      stopped.initCause(interrupted);
      throw stopped;
    }
  }

  private static void park(long nanos) throws InterruptedException {
    LockSupport.parkNanos(nanos);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
