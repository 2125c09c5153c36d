package io.quiver.simulator.keep;

import io.quiver.simulator.engine.SeededNumbers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Draws two items and evicts the one that was read longer ago: the rule of JuiceFS. */
public final class TwoRandomCache implements Evicting {
  private final Map<Long, Item> byKey = new HashMap<>();
  private final List<Item> items = new ArrayList<>();
  private final SeededNumbers numbers;
  private final long capacityBytes;
  private long usedBytes;
  private long reads;

  /** An item that is kept. */
  private static final class Item {
    final long key;
    final long bytes;
    int place;
    long lastRead;

    Item(long key, long bytes) {
      this.key = key;
      this.bytes = bytes;
    }
  }

  /** Makes an empty cache. */
  public TwoRandomCache(long capacityBytes, SeededNumbers numbers) {
    this.capacityBytes = capacityBytes;
    this.numbers = numbers;
  }

  @Override
  public boolean read(long key, long bytes) {
    @Nullable Item kept = byKey.get(key);
    if (kept != null) {
      kept.lastRead = ++reads;
      return true;
    }
    if (bytes <= capacityBytes) {
      while (usedBytes > capacityBytes - bytes) {
        Item one = items.get(numbers.below(items.size()));
        Item other = items.get(numbers.below(items.size()));
        evict(one.lastRead < other.lastRead ? one : other);
      }
      insert(new Item(key, bytes));
    }
    return false;
  }

  private void insert(Item item) {
    item.lastRead = ++reads;
    item.place = items.size();
    items.add(item);
    byKey.put(item.key, item);
    usedBytes += item.bytes;
  }

  private void evict(Item item) {
    Item last = items.removeLast();
    if (last != item) {
      items.set(item.place, last);
      last.place = item.place;
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
