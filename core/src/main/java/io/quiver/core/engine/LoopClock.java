package io.quiver.core.engine;

/**
 * Tells where the time of one training loop goes: it waits for a batch, or works on the last one.
 */
public final class LoopClock {
  private static final double WEIGHT_OF_NEWEST = 0.1;
  private static final double NANOS = 1e9;
  private static final long UNKNOWN = -1;

  private boolean working;
  private long since;
  private long transformNanos;
  private long othersNanos;
  private int lastItems;
  private double itemSeconds;
  private long workNanos = UNKNOWN;

  /**
   * Holds the time between two batches.
   *
   * @param nanos without waiting for other ranks; negative before the first
   * @param waited how much of it the loop waited for data
   */
  public record Interval(long nanos, long waited) {}

  /**
   * Holds the time the loop spent with its last batch.
   *
   * @param compute work on the batch
   * @param transform preparation of its items
   * @param others waiting for other ranks
   */
  public record Work(long compute, long transform, long others) {
    private static final Work NONE = new Work(0, 0, 0);
  }

  /** Notes that the loop asks for a batch: it has finished the last one. */
  public Work asked(long now) {
    Work work = working ? worked(Math.max(0, now - since)) : Work.NONE;
    transformNanos = 0;
    othersNanos = 0;
    working = false;
    since = now;
    return work;
  }

  private Work worked(long passed) {
    long others = Math.min(othersNanos, passed);
    workNanos = passed - others;
    double seconds = workNanos / NANOS / Math.max(1, lastItems);
    itemSeconds += (itemSeconds == 0 ? 1 : WEIGHT_OF_NEWEST) * (seconds - itemSeconds);
    long transform = Math.min(transformNanos, workNanos);
    return new Work(workNanos - transform, transform, others);
  }

  /** Notes that the loop has got a batch; returns the time since the one before. */
  public Interval answered(long now, int items) {
    long waited = Math.max(0, now - since);
    Interval interval = new Interval(workNanos == UNKNOWN ? UNKNOWN : workNanos + waited, waited);
    workNanos = UNKNOWN;
    working = true;
    since = now;
    lastItems = items;
    return interval;
  }

  /** Notes that part of the work on the last batch was preparation. */
  public void transformed(long nanos) {
    transformNanos += Math.max(0, nanos);
  }

  /** Notes that part of the time since the last batch was waiting for other ranks. */
  public void waitedForOthers(long nanos) {
    othersNanos += Math.max(0, nanos);
  }

  /** Returns true if the loop works on a batch. */
  public boolean isWorking() {
    return working;
  }

  /** Returns how long the loop works on an item; 0 while unknown. */
  public double itemSeconds() {
    return itemSeconds;
  }

  /** Returns for how long the loop has not asked for a batch. */
  public double idleSeconds(long now) {
    return working ? Math.max(0, (now - since) / NANOS) : 0;
  }
}
