package io.quiver.core.engine;

/**
 * Decides how long a job waits for items that other jobs have claimed. A job that claims and does
 * not deliver must not hold others up: every wait in vain makes the next ones shorter. Patience
 * returns with time, and at once when an item arrives that was worth a longer wait.
 */
public final class ClaimPatience {
  private static final long LONGEST = ReadRules.PENDING_WAIT.toNanos();
  private static final long SHORTEST = ReadRules.SHORTEST_PENDING_WAIT.toNanos();
  private static final long DOUBLES_AFTER = ReadRules.PATIENCE_DOUBLES_AFTER.toNanos();
  private static final int SHARE_LEFT = 4;

  private long wait = LONGEST;
  private long changedAt;

  /** Returns how long to wait for an item at this time. */
  public long nanos(long now) {
    while (wait < LONGEST && now - changedAt >= DOUBLES_AFTER) {
      wait = Math.min(LONGEST, 2 * wait);
      changedAt += DOUBLES_AFTER;
    }
    return wait;
  }

  /**
   * Notes that an item did not arrive. Waits that began before patience last shrank tell nothing
   * new: many batches wait for one absent job at the same time.
   */
  public void inVain(long began, long now) {
    long before = nanos(now);
    if (before == LONGEST || began - changedAt >= 0) {
      wait = Math.max(SHORTEST, before / SHARE_LEFT);
      changedAt = now;
    }
  }

  /** Notes that an item arrived which was waited for since then. */
  public void delivered(long began, long now) {
    wait = Math.max(nanos(now), Math.min(LONGEST, 2 * (now - began)));
  }
}
