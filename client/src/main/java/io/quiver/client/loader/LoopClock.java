package io.quiver.client.loader;

/**
 * Where the time of one training loop goes: waiting for a batch, or working on the last one. Times
 * are nanoseconds of any origin, passed in. Safe for use by several threads.
 */
final class LoopClock {
  private static final double WEIGHT_OF_NEWEST = 0.1;
  private static final double NANOS = 1e9;
  private static final long UNKNOWN = -1;

  private final Tally tally;
  private boolean working;
  private long since;
  private long transformNanos;
  private long othersNanos;
  private int lastItems;
  private double itemSeconds;
  private long workNanos = UNKNOWN;

  /**
   * The time between two batches.
   *
   * @param nanos without waiting for other ranks; negative before the first
   * @param waited how much of it the loop waited for data
   */
  record Interval(long nanos, long waited) {}

  LoopClock(Tally tally) {
    this.tally = tally;
  }

  /** The loop asks for a batch: it has finished the last one. */
  synchronized void asked(long now) {
    if (working) {
      long passed = Math.max(0, now - since);
      long others = Math.min(othersNanos, passed);
      long work = passed - others;
      workNanos = work;
      tally.add(Tally.Of.WAIT_NANOS, others);
      long transform = Math.min(transformNanos, work);
      tally.add(Tally.Of.TRANSFORM_NANOS, transform);
      tally.add(Tally.Of.COMPUTE_NANOS, work - transform);
      learn(work / NANOS / Math.max(1, lastItems));
    }
    transformNanos = 0;
    othersNanos = 0;
    working = false;
    since = now;
  }

  private void learn(double seconds) {
    itemSeconds =
        itemSeconds == 0 ? seconds : itemSeconds + WEIGHT_OF_NEWEST * (seconds - itemSeconds);
  }

  /** The loop has got a batch; returns the time since the one before. */
  synchronized Interval answered(long now, int items) {
    long waited = Math.max(0, now - since);
    Interval interval = new Interval(workNanos == UNKNOWN ? UNKNOWN : workNanos + waited, waited);
    tally.add(Tally.Of.WAIT_NANOS, waited);
    workNanos = UNKNOWN;
    working = true;
    since = now;
    lastItems = items;
    return interval;
  }

  /** Part of the work on the last batch was preparation. */
  synchronized void transformed(long nanos) {
    transformNanos += Math.max(0, nanos);
  }

  /** Part of the time since the last batch was no work but waiting for other ranks. */
  synchronized void waitedForOthers(long nanos) {
    othersNanos += Math.max(0, nanos);
  }

  /** How long the loop works on an item; 0 while unknown. */
  synchronized double itemSeconds() {
    return itemSeconds;
  }

  /** For how long the loop has not asked for a batch. */
  synchronized double idleSeconds(long now) {
    return working ? Math.max(0, (now - since) / NANOS) : 0;
  }
}
