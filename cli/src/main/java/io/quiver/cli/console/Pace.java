package io.quiver.cli.console;

/**
 * Estimates the speed of work, smoothed over the last seconds so that one slow moment does not
 * distort it.
 */
final class Pace {
  private static final double SMOOTHING_SECONDS = 5;

  private final long startNanos;
  private long lastNanos;
  private long lastDone;
  private double rate;

  Pace(long nowNanos, long done) {
    this.startNanos = nowNanos;
    this.lastNanos = nowNanos;
    this.lastDone = done;
  }

  /** Takes note of how much is done by now. */
  void observe(long nowNanos, long done) {
    double seconds = (nowNanos - lastNanos) / 1e9;
    if (seconds <= 0) {
      return;
    }
    double current = Math.max(0, done - lastDone) / seconds;
    double age = (nowNanos - startNanos) / 1e9;
    // The first seconds weigh what was seen evenly; afterwards old observations fade.
    double weight = 1 - Math.exp(-seconds / Math.min(SMOOTHING_SECONDS, Math.max(age, seconds)));
    rate = rate == 0 ? current : rate + weight * (current - rate);
    lastNanos = nowNanos;
    lastDone = done;
  }

  /** Units per second. */
  double rate() {
    return rate;
  }

  /** Seconds until so much more is done, or a negative number when nobody can tell. */
  double secondsFor(long remaining) {
    return rate > 0 && remaining >= 0 ? remaining / rate : -1;
  }
}
