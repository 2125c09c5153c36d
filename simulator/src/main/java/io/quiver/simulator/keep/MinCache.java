package io.quiver.simulator.keep;

import io.quiver.core.importance.NextUses;
import io.quiver.core.keep.Ranked;
import io.quiver.core.order.ItemList;

/**
 * Knows all reads in advance and evicts the item whose next read is the latest (Belady's MIN); a
 * newcomer that is read later than everything kept is not inserted. Nothing hits more often where
 * items are equally long.
 */
public final class MinCache implements Evicting {
  private final ItemList reads;
  private final NextUses uses;
  private final Ranked keeper;
  private int done;

  /**
   * Makes an empty cache.
   *
   * @param items how many items there are; keys are below it
   * @param reads the keys of all reads to come, in their order
   */
  public MinCache(long capacityBytes, int items, int[] reads) {
    this.reads = new ItemList(items, reads);
    this.uses = NextUses.of(0, this.reads, new ItemList(items, new int[0]));
    this.keeper = new Ranked(capacityBytes);
  }

  @Override
  public boolean read(long key, long bytes) {
    if (done == reads.size() || reads.at(done) != key) {
      throw new IllegalStateException(
          "read " + done + " is of item " + key + ", which was not announced; announce all reads");
    }
    long priority = uses.priority(done++);
    boolean hit = keeper.holds(key);
    if (hit) {
      keeper.rank(key, priority);
    } else {
      keeper.offer(key, bytes, priority, victim -> {});
    }
    return hit;
  }

  @Override
  public boolean holds(long key) {
    return keeper.holds(key);
  }

  @Override
  public long usedBytes() {
    return keeper.report().usedBytes();
  }
}
