package io.quiver.core.engine;

import io.quiver.core.order.UnreadItems;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;

/**
 * Decides whether a job that has used up all that is cached waits for the next chunk of the ring,
 * or reads from the store what the cache will bring by and by. Waiting is what keeps reads at once
 * per item for all jobs together. It is in vain for what is left over of chunks whose generation
 * has passed: that is read meanwhile. And it ends after a while in which nothing is being read:
 * what is being read is what the ring brings in just now, and a job that reads other items beside
 * takes the store's bandwidth from it, until no chunk gets whole in time and every job reads for
 * itself.
 */
public final class RingPatience {
  private final int batch;
  private boolean waiting;
  private long since;

  /** Makes the patience of a job, or of a rank, that takes so many items at a time. */
  public RingPatience(int batch) {
    this.batch = batch;
  }

  /**
   * Returns true if the job should wait rather than draw.
   *
   * @param ownChunk how many items of a chunk are this rank's
   * @param out how many draws are being read
   * @param reachable whether a new plan can come at all
   * @param now nanoseconds of any steady clock
   */
  public boolean waits(
      DatasetPlan plan, UnreadItems unread, int ownChunk, int out, boolean reachable, long now) {
    boolean starved =
        plan.ring()
            && reachable
            && near(plan, unread) < Math.min(batch, unread.available())
            && othersAreToCome(plan, unread, ownChunk);
    if (!starved) {
      waiting = false;
      return false;
    }
    if (!waiting || out > 0) {
      waiting = true;
      since = now;
    }
    return now - since < ReadRules.RING_WAIT.toNanos();
  }

  /** Returns true if what is left is in chunks of which most is unread, rather than left over. */
  private boolean othersAreToCome(DatasetPlan plan, UnreadItems unread, int ownChunk) {
    int whole = 0;
    int leftOver = 0;
    for (int chunk = 0; chunk < plan.chunks(); chunk++) {
      int left = unread.available(chunk);
      if (left > 0 && plan.find(chunk).isEmpty()) {
        whole += 2 * left > ownChunk ? 1 : 0;
        leftOver += 2 * left > ownChunk ? 0 : left;
      }
    }
    return whole > 0 && leftOver < batch;
  }

  /** Returns the unread items of chunks that are cached or on their way; asked for every draw. */
  private static int near(DatasetPlan plan, UnreadItems unread) {
    int sum = 0;
    for (ChunkEntry each : plan.held()) {
      boolean leaving = each.role() == ChunkRole.PINNED && each.state() == ChunkState.MARKED;
      sum += leaving ? 0 : unread.available(each.chunk());
    }
    return sum;
  }
}
