package io.quiver.simulator.keep;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * SIEVE (Zhang et al., NSDI 2024): one queue in the order of insertion, through which a hand moves
 * from the oldest item to the newest and then begins again. It evicts the first item that was not
 * read since the hand last passed; items that stay keep their places.
 */
public final class SieveCache implements Evicting {
  private final Map<Long, Item> byKey = new HashMap<>();
  private final long capacityBytes;
  private @Nullable Item oldest;
  private @Nullable Item newest;
  private @Nullable Item hand;
  private long usedBytes;

  /** An item that is kept. */
  private static final class Item {
    final long key;
    final long bytes;
    @Nullable Item older;
    @Nullable Item newer;
    boolean read;

    Item(long key, long bytes) {
      this.key = key;
      this.bytes = bytes;
    }
  }

  /** Makes an empty cache. */
  public SieveCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  @Override
  public boolean read(long key, long bytes) {
    @Nullable Item kept = byKey.get(key);
    if (kept != null) {
      kept.read = true;
      return true;
    }
    if (bytes <= capacityBytes) {
      while (usedBytes > capacityBytes - bytes) {
        evict();
      }
      insert(new Item(key, bytes));
    }
    return false;
  }

  private void insert(Item item) {
    item.older = newest;
    if (newest == null) {
      oldest = item;
    } else {
      newest.newer = item;
    }
    newest = item;
    byKey.put(item.key, item);
    usedBytes += item.bytes;
  }

  private void evict() {
    Item at = orOldest(hand);
    while (at.read) {
      at.read = false;
      at = orOldest(at.newer);
    }
    hand = at.newer;
    remove(at);
  }

  /** Returns an item, or the oldest where the queue has ended. */
  private Item orOldest(@Nullable Item item) {
    @Nullable Item next = item == null ? oldest : item;
    if (next == null) {
      throw new IllegalStateException(usedBytes + " bytes in use by no item");
    }
    return next;
  }

  private void remove(Item item) {
    @Nullable Item older = item.older;
    @Nullable Item newer = item.newer;
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    byKey.remove(item.key);
    usedBytes -= item.bytes;
  }

  @Override
  public boolean holds(long key) {
    return byKey.containsKey(key);
  }

  @Override
  public long usedBytes() {
    return usedBytes;
  }
}
