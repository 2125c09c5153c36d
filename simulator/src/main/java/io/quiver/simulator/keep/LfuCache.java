package io.quiver.simulator.keep;

/**
 * Evicts the item that was read least often, of several the longest unread. Reads count from the
 * last insertion on: what was evicted begins anew.
 */
public final class LfuCache implements Evicting {
  /** Low bits of a priority: the time of the last read. The number of reads is above them. */
  private static final int TIME_BITS = 40;

  private final PriorityCache cache;
  private long time;

  /** Makes an empty cache. */
  public LfuCache(long capacityBytes) {
    cache = new PriorityCache(capacityBytes);
  }

  @Override
  public boolean read(long key, long bytes) {
    time++;
    boolean hit = cache.holds(key);
    if (hit) {
      cache.rank(key, priority((cache.priority(key) >> TIME_BITS) + 1));
    } else {
      cache.add(key, bytes, priority(1));
    }
    return hit;
  }

  private long priority(long reads) {
    return reads << TIME_BITS | time;
  }

  @Override
  public boolean holds(long key) {
    return cache.holds(key);
  }

  @Override
  public long usedBytes() {
    return cache.usedBytes();
  }
}
