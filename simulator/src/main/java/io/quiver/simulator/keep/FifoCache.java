package io.quiver.simulator.keep;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Evicts what was inserted first, however often it was read since. */
public final class FifoCache implements Evicting {
  private final Map<Long, Long> lengths = new LinkedHashMap<>();
  private final long capacityBytes;
  private long usedBytes;

  /** Makes an empty cache. */
  public FifoCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  @Override
  public boolean read(long key, long bytes) {
    if (lengths.containsKey(key)) {
      return true;
    }
    if (bytes <= capacityBytes) {
      Iterator<Long> oldest = lengths.values().iterator();
      while (usedBytes > capacityBytes - bytes) {
        usedBytes -= oldest.next();
        oldest.remove();
      }
      lengths.put(key, bytes);
      usedBytes += bytes;
    }
    return false;
  }

  @Override
  public boolean holds(long key) {
    return lengths.containsKey(key);
  }

  @Override
  public long usedBytes() {
    return usedBytes;
  }
}
