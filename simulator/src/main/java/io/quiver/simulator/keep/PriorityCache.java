package io.quiver.simulator.keep;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps items and evicts the lowest priority for every newcomer: by number of uses, score or
 * whatever else the priority says. Unlike {@link io.quiver.core.keep.Ranked} it never refuses.
 */
public final class PriorityCache {
  private final Map<Long, Item> byKey = new HashMap<>();
  private final List<Item> heap = new ArrayList<>(); // the lowest priority first
  private final long capacityBytes;
  private long usedBytes;

  /** An item that is kept. */
  private static final class Item {
    final long key;
    final long bytes;
    long priority;
    int place;

    Item(long key, long bytes, long priority) {
      this.key = key;
      this.bytes = bytes;
      this.priority = priority;
    }
  }

  /** Makes an empty cache. */
  public PriorityCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /** Returns true if an item is kept. */
  public boolean holds(long key) {
    return byKey.containsKey(key);
  }

  /** Returns the bytes of all items kept. */
  public long usedBytes() {
    return usedBytes;
  }

  /** Returns the priority of an item that is kept. */
  public long priority(long key) {
    @Nullable Item item = byKey.get(key);
    if (item == null) {
      throw new IllegalArgumentException("item " + key + " is not kept, so it has no priority");
    }
    return item.priority;
  }

  /** Takes an item that is absent, unless it is longer than the capacity; the lowest go for it. */
  public void add(long key, long bytes, long priority) {
    if (bytes > capacityBytes) {
      return;
    }
    while (usedBytes > capacityBytes - bytes) {
      removeLowest();
    }
    Item item = new Item(key, bytes, priority);
    byKey.put(key, item);
    usedBytes += bytes;
    heap.add(item);
    put(item, heap.size() - 1);
    siftUp(item);
  }

  /** Changes the priority of an item; one that is absent has none. */
  public void rank(long key, long priority) {
    @Nullable Item item = byKey.get(key);
    if (item != null) {
      item.priority = priority;
      siftUp(item);
      siftDown(item);
    }
  }

  private void removeLowest() {
    Item lowest = heap.getFirst();
    byKey.remove(lowest.key);
    usedBytes -= lowest.bytes;
    Item last = heap.removeLast();
    if (last != lowest) {
      put(last, 0);
      siftDown(last);
    }
  }

  private void put(Item item, int place) {
    heap.set(place, item);
    item.place = place;
  }

  private void siftUp(Item item) {
    while (item.place > 0) {
      Item above = heap.get((item.place - 1) / 2);
      if (above.priority <= item.priority) {
        return;
      }
      swap(above, item);
    }
  }

  private void siftDown(Item item) {
    while (2 * item.place + 1 < heap.size()) {
      Item below = lowerBelow(2 * item.place + 1);
      if (below.priority >= item.priority) {
        return;
      }
      swap(item, below);
    }
  }

  private Item lowerBelow(int left) {
    Item one = heap.get(left);
    Item other = left + 1 < heap.size() ? heap.get(left + 1) : one;
    return other.priority < one.priority ? other : one;
  }

  private void swap(Item upper, Item lower) {
    int place = upper.place;
    put(upper, lower.place);
    put(lower, place);
  }
}
