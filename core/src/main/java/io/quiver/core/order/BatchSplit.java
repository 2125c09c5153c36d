package io.quiver.core.order;

/**
 * Splits each batch by source, so that over an epoch pinned chunks, rotating ones and the store are
 * used up together. What rounding leaves over is carried to the next batch. It knows numbers only:
 * whoever simulates data sets too large to name their items shares it.
 */
public final class BatchSplit {
  /** When fewer than this many batches are left, every candidate is asked for. */
  private static final int TAIL_BATCHES = 10;

  private final int wholeChunk;
  private double windowCarry;
  private double cacheCarry;

  /**
   * Begins an epoch, or the rest of one.
   *
   * @param wholeChunk how many items a chunk has of which nothing was read
   */
  public BatchSplit(int wholeChunk) {
    this.wholeChunk = wholeChunk;
  }

  /**
   * Returns how many items of a batch come from the cache: all, if the ring brings the others in
   * time. Otherwise in proportion, so that the store is read evenly throughout the epoch.
   *
   * @param own how many items the batch has
   * @param resident how many unread items the cache has
   * @param unread how many there are in all
   */
  public int fromCache(boolean ring, int own, int resident, int unread) {
    int most = Math.min(own, resident);
    if (ring) {
      return most;
    }
    int left = Math.max(1, unread);
    double ideal = cacheCarry + (double) own * resident / left;
    int taken = Math.clamp(Math.round(ideal), Math.max(0, own - (left - resident)), most);
    cacheCarry = Math.clamp(ideal - taken, -1.0, 1.0);
    return taken;
  }

  /**
   * Returns how many of these come from rotating chunks.
   *
   * @param want how many come from the cache
   * @param pinned how many unread items pinned chunks have
   * @param window how many rotating chunks have
   * @param unread how many there are in all
   */
  public int fromWindow(int want, int pinned, int window, int unread, RingRole ringRole) {
    if (ringRole == RingRole.FOLLOWER) {
      return Math.min(want, window);
    }
    int left = Math.max(1, unread);
    double ideal = windowCarry + (double) want * (left - pinned) / left;
    int taken =
        Math.clamp(Math.round(ideal), want - Math.min(want, pinned), Math.min(want, window));
    windowCarry = Math.clamp(ideal - taken, -1.0, 1.0);
    return taken;
  }

  /**
   * Returns how many items of each rotating chunk are in the lottery for the next batch: all but
   * those it keeps in reserve, half a chunk for every older one. So the oldest is used up while the
   * next still has a half and the one after that is whole. Drawing evenly from all that is unread
   * would use them up together, and the ring could not move on in time.
   *
   * @param unread how many items each has, the chunk that leaves first in front
   * @return none only for chunks that have nothing, or less than their reserve
   */
  public int[] lots(int[] unread) {
    int[] lots = new int[unread.length];
    long older = 0;
    for (int i = 0; i < lots.length; i++) {
      lots[i] = (int) Math.max(0, unread[i] - older * wholeChunk / 2);
      older += unread[i] > 0 ? 1 : 0;
    }
    return lots;
  }

  /**
   * Returns how many more candidates to name than are wanted, in case some are not there after all.
   *
   * @param want how many are wanted
   * @param resident how many unread items the cache has
   * @param unread how many there are in all
   */
  public static int slack(int want, int resident, int unread, int batch) {
    int spare = resident - want;
    boolean tail = unread < (long) TAIL_BATCHES * batch;
    return tail ? spare : Math.min(spare, want / 8);
  }
}
