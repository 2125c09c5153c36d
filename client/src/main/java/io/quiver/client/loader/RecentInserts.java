package io.quiver.client.loader;

import java.util.LinkedHashMap;

/**
 * What this process inserted into the cache lately, and when. The cache may grant a claim to one
 * thread of a job while another is just inserting the item; who gets such a claim finds here that
 * it is out of date. Bounded: the oldest are forgotten. Safe for use by several threads.
 */
final class RecentInserts {
  private static final int MOST = 8192;

  private final LinkedHashMap<Integer, Long> times = new LinkedHashMap<>();

  /** An item was inserted now. */
  synchronized void add(int item, long now) {
    times.remove(item);
    times.put(item, now);
    if (times.size() > MOST) {
      times.pollFirstEntry();
    }
  }

  /** Whether an item was inserted after a question was asked. */
  synchronized boolean since(int item, long askedAt) {
    Long at = times.get(item);
    return at != null && at - askedAt > 0;
  }
}
