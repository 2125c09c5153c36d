package io.quiver.simulator.keep;

import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.Ranked;

/**
 * A keeper of the live servers as a cache of its own: {@link KeeperKind#RECENT} is LRU, {@link
 * KeeperKind#UNIFORM} pins what came first, {@link KeeperKind#FIFO3} is the rule for skewed reads.
 */
public final class KeeperCache implements Evicting {
  private final Keeper keeper;

  /** Makes an empty cache. */
  public KeeperCache(KeeperKind kind, long capacityBytes) {
    keeper = kind.keeper(capacityBytes);
  }

  @Override
  public boolean read(long key, long bytes) {
    boolean hit = keeper.touch(key);
    if (!hit) {
      keeper.offer(key, bytes, Ranked.UNKNOWN, victim -> {});
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
