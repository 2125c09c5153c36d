package io.quiver.client.loader;

import java.util.ArrayDeque;
import java.util.List;

/**
 * How far one chunk is on its way into the cache, as one job knows. Every member is unseen,
 * missing, being fetched by this job, elsewhere (another job fetches it), or done with: in the
 * cache or refused for good. Safe for use by several threads.
 */
final class ChunkLoad {
  private final int[] members;
  private int unseenFrom;
  private final ArrayDeque<Integer> missing = new ArrayDeque<>();
  private final ArrayDeque<Integer> elsewhere = new ArrayDeque<>();
  private int mine;
  private long movedAt;
  private long lookedAt;

  /**
   * A chunk of which nothing is known.
   *
   * @param members its items, in the order in which this job looks at them
   */
  ChunkLoad(int[] members, long now) {
    this.members = members;
    this.movedAt = now;
    this.lookedAt = now;
  }

  /** The next members nobody has looked for yet, at most so many. */
  synchronized int[] unseen(int most) {
    int count = Math.min(most, members.length - unseenFrom);
    int[] items = new int[count];
    System.arraycopy(members, unseenFrom, items, 0, count);
    return items;
  }

  /** The first of those unseen were looked for; these are not in the cache. */
  synchronized void seen(int count, List<Integer> absent, long now) {
    unseenFrom += count;
    missing.addAll(absent);
    movedAt = now;
  }

  /** Takes missing members to be claimed, at most so many. */
  synchronized int[] takeMissing(int most) {
    int[] items = new int[Math.min(most, missing.size())];
    for (int i = 0; i < items.length; i++) {
      items[i] = missing.remove();
    }
    return items;
  }

  /** This job fetches a member. */
  synchronized void fetching(long now) {
    mine++;
    movedAt = now;
  }

  /** A member this job fetched is in the cache, or never will be. */
  synchronized void fetched(long now) {
    mine--;
    movedAt = now;
  }

  /** A fetch of this job's has failed: the member is looked for again later. */
  synchronized void failed(int item) {
    mine--;
    elsewhere.add(item);
  }

  /** Another job fetches a member. */
  synchronized void leave(int item) {
    elsewhere.add(item);
  }

  /** Takes members that others fetch, to be looked for again. */
  synchronized int[] takeElsewhere(int most, long now) {
    lookedAt = now;
    int[] items = new int[Math.min(most, elsewhere.size())];
    for (int i = 0; i < items.length; i++) {
      items[i] = elsewhere.remove();
    }
    return items;
  }

  /** Of those taken, these are still not there. */
  synchronized void stillElsewhere(List<Integer> items) {
    elsewhere.addAll(items);
  }

  /** Something came in. */
  synchronized void moved(long now) {
    movedAt = now;
  }

  /** What others were to fetch may be this job's turn after all. */
  synchronized void reclaim(long now) {
    missing.addAll(elsewhere);
    elsewhere.clear();
    movedAt = now;
  }

  synchronized boolean hasUnseen() {
    return unseenFrom < members.length;
  }

  synchronized boolean hasMissing() {
    return !missing.isEmpty();
  }

  /** How many members others fetch, when there is nothing else left to do; otherwise none. */
  synchronized int awaited() {
    return unseenFrom == members.length && missing.isEmpty() ? elsewhere.size() : 0;
  }

  /** For how long nobody has looked again for what others fetch. */
  synchronized long sinceLook(long now) {
    return now - lookedAt;
  }

  /** For how long nothing has come in. */
  synchronized long stillNanos(long now) {
    return now - movedAt;
  }

  synchronized boolean isWhole() {
    return unseenFrom == members.length && missing.isEmpty() && elsewhere.isEmpty() && mine == 0;
  }
}
