package io.quiver.core.stream;

/**
 * Decides how many blocks are read at once to fill the cache for no reader. Filling may use what
 * programs leave of the store, and nobody tells how much that is; but once more is asked for than
 * the store or the network can do, answers take longer. So there are more and more fills while they
 * take hardly longer than the fastest lately, and half as many when they do: as congestion control
 * by delay does. One thread at a time; the time is passed in.
 */
public final class FillPace {
  private static final int FIRST = 4;
  private static final double LEAST = 1;

  /** A fill that takes so many times as long as the fastest has waited for others. */
  private static final double DELAYED = 1.5;

  /** Delays below this are chance. */
  private static final long SLACK_NANOS = 5_000_000;

  /** The fastest of the last while counts: a store that has become slower is no longer idle. */
  private static final long MEMORY_NANOS = 60_000_000_000L;

  private final int most;
  private double allowed = FIRST;
  private int open;
  private long fastest = Long.MAX_VALUE;
  private long next = Long.MAX_VALUE;
  private long renewed = Long.MIN_VALUE;
  private long halvedAt = Long.MIN_VALUE;

  /** Allows so many fills at once at most. */
  public FillPace(int most) {
    this.most = most;
  }

  /** Returns how many fills may begin now. */
  public int room() {
    return Math.max(0, (int) Math.min(most, allowed) - open);
  }

  /** Notes that a fill has begun. */
  public void begun() {
    open++;
  }

  /** Notes that a fill ended without asking the store. */
  public void unneeded() {
    open--;
  }

  /**
   * Notes that a fill has ended.
   *
   * @param tookNanos how long the store took
   * @param now the time, in nanoseconds of a steady clock
   */
  public void ended(long tookNanos, long now) {
    open--;
    renew(tookNanos, now);
    if (tookNanos <= DELAYED * fastest + SLACK_NANOS) {
      allowed = Math.min(most, allowed + 1 / Math.max(1, allowed / FIRST));
    } else if (halvedAt == Long.MIN_VALUE || now - halvedAt > tookNanos) {
      allowed = Math.max(LEAST, allowed / 2);
      halvedAt = now;
    }
  }

  private void renew(long tookNanos, long now) {
    if (renewed == Long.MIN_VALUE || now - renewed > MEMORY_NANOS) {
      fastest = Math.min(next, tookNanos);
      next = Long.MAX_VALUE;
      renewed = now;
    }
    next = Math.min(next, tookNanos);
    fastest = Math.min(fastest, tookNanos);
  }
}
