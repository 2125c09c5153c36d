package io.quiver.client.transport;

import java.time.Duration;

/**
 * Leaves a failed server alone for a short, growing time, so that a dead server costs one timeout
 * and not one for every batch. After that time one call is let through as a probe, and its outcome
 * decides. Time is passed in. Safe for use by many threads.
 */
public final class CircuitBreaker {
  /** The result of {@link #tryPass} when the server is to be left alone. */
  public static final long REFUSED = -1;

  private static final int REST_PER_COST = 4;

  private final long shortestNanos;
  private final long longestNanos;
  // Counts rests: a call that began before a rest must not lengthen it.
  private long epoch;
  private int failures;
  private long restsUntil;
  private boolean probing;

  /** Rests at least and at most so long. */
  public CircuitBreaker(Duration shortest, Duration longest) {
    this.shortestNanos = shortest.toNanos();
    this.longestNanos = longest.toNanos();
  }

  /**
   * Returns a pass for one call, to be handed back to one of the methods below, or {@link
   * #REFUSED}.
   */
  public synchronized long tryPass(long now) {
    if (failures == 0) {
      return epoch;
    }
    if (probing || now - restsUntil < 0) {
      return REFUSED;
    }
    probing = true;
    return epoch;
  }

  /**
   * Records that the server answered.
   *
   * @return whether it was thought to be down
   */
  public synchronized boolean succeeded() {
    boolean recovered = failures > 0;
    failures = 0;
    probing = false;
    return recovered;
  }

  /**
   * Records that the server failed the call that had this pass. It is left alone for at least four
   * times as long as the failure took, so that probes of a server that never answers stay a small
   * part of the time.
   *
   * @param costNanos the time the call took to fail
   * @return the time for which the server is left alone from now on; zero if this failure was known
   *     already
   */
  public synchronized Duration failed(long pass, long now, long costNanos) {
    if (pass != epoch) {
      return Duration.ZERO;
    }
    epoch++;
    probing = false;
    long growing = Math.max(shortestNanos, REST_PER_COST * costNanos) << Math.min(failures, 10);
    long rest = Math.min(longestNanos, growing);
    failures++;
    restsUntil = now + rest;
    return Duration.ofNanos(rest);
  }

  /** Withdraws a pass whose call ended without saying anything about the server. */
  public synchronized void withdrawn(long pass) {
    if (pass == epoch) {
      probing = false;
    }
  }
}
