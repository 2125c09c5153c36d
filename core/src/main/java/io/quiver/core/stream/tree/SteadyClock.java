package io.quiver.core.stream.tree;

/**
 * Makes a time that never goes back of one that may jump. A jump forward counts as an hour, longer
 * than any lease that reads suggest; a jump back counts as no time at all.
 */
final class SteadyClock {
  private static final long MOST_STEP_NANOS = 3_600_000_000_000L;

  /** Records of several threads may be out of order by this much. */
  private static final long DISORDER_NANOS = 5_000_000_000L;

  private long now;
  private long last;
  private boolean started;

  /** Returns the steady time of the latest call. */
  long now() {
    return now;
  }

  /** Takes a time of the clock that may jump, and returns the steady time. */
  long advance(long nanos) {
    long step = nanos - last;
    if (!started) {
      started = true;
      last = nanos;
    } else if (step > 0) {
      now += Math.min(step, MOST_STEP_NANOS);
      last = nanos;
    } else if (step < -DISORDER_NANOS) {
      last = nanos;
    }
    return now;
  }
}
