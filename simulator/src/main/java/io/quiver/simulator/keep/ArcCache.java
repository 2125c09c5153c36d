package io.quiver.simulator.keep;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * ARC (Megiddo and Modha, FAST 2003) over items of any length.
 *
 * <p>Items that were read once and items that were read again lie in two queues, each by last read.
 * Each queue leaves ghosts of what it evicted. A miss that finds a ghost of the first queue moves
 * bytes to it from the second one, and the other way round, so that the division follows the load.
 * Queues and ghosts of items that were read once have at most the capacity together, and all four
 * at most twice as much.
 */
public final class ArcCache implements Evicting {
  private final Queue once = new Queue();
  private final Queue again = new Queue();
  private final Queue onceGhosts = new Queue();
  private final Queue againGhosts = new Queue();
  private final long capacityBytes;
  private double onceTarget;

  /** Items by last read, with their lengths. */
  private static final class Queue {
    private final Map<Long, Long> lengths = new LinkedHashMap<>();
    private long bytes;

    boolean holds(long key) {
      return lengths.containsKey(key);
    }

    void add(long key, long length) {
      lengths.put(key, length);
      bytes += length;
    }

    boolean remove(long key) {
      @Nullable Long length = lengths.remove(key);
      bytes -= length == null ? 0 : length;
      return length != null;
    }

    boolean isEmpty() {
      return lengths.isEmpty();
    }

    void dropOldest() {
      Iterator<Long> oldest = lengths.values().iterator();
      bytes -= oldest.next();
      oldest.remove();
    }

    void moveOldest(Queue to) {
      Map.Entry<Long, Long> oldest = lengths.entrySet().iterator().next();
      long key = oldest.getKey();
      long length = oldest.getValue();
      dropOldest();
      to.add(key, length);
    }
  }

  /** Makes an empty cache. */
  public ArcCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  @Override
  public boolean read(long key, long bytes) {
    if (once.remove(key) || again.remove(key)) {
      again.add(key, bytes);
      return true;
    }
    if (bytes > capacityBytes) {
      return false;
    }
    if (onceGhosts.holds(key)) {
      double more = onceTarget + step(bytes, againGhosts, onceGhosts);
      onceTarget = Math.min((double) capacityBytes, more);
      evictFor(bytes, false);
      onceGhosts.remove(key);
      again.add(key, bytes);
    } else if (againGhosts.holds(key)) {
      onceTarget = Math.max(0.0, onceTarget - step(bytes, onceGhosts, againGhosts));
      evictFor(bytes, true);
      againGhosts.remove(key);
      again.add(key, bytes);
    } else {
      forgetFor(bytes);
      evictFor(bytes, false);
      once.add(key, bytes);
    }
    return false;
  }

  /** Returns by how much the target moves: more where the ghosts that were found are the fewer. */
  private static double step(long bytes, Queue others, Queue found) {
    return bytes * Math.max(1.0, (double) others.bytes / found.bytes);
  }

  private void evictFor(long bytes, boolean readAgain) {
    while (usedBytes() > capacityBytes - bytes) {
      boolean fromOnce =
          once.bytes > onceTarget || (readAgain && once.bytes == onceTarget) || again.isEmpty();
      if (fromOnce && !once.isEmpty()) {
        once.moveOldest(onceGhosts);
      } else {
        again.moveOldest(againGhosts);
      }
    }
  }

  /** Forgets ghosts so that a new item and its ghost will have room. */
  private void forgetFor(long bytes) {
    while (once.bytes + onceGhosts.bytes > capacityBytes - bytes) {
      (onceGhosts.isEmpty() ? once : onceGhosts).dropOldest();
    }
    while (!againGhosts.isEmpty()
        && usedBytes() + onceGhosts.bytes + againGhosts.bytes > 2 * capacityBytes - bytes) {
      againGhosts.dropOldest();
    }
  }

  @Override
  public boolean holds(long key) {
    return once.holds(key) || again.holds(key);
  }

  @Override
  public long usedBytes() {
    return once.bytes + again.bytes;
  }

  /** Returns the bytes that items read once are to have, as the load has taught. */
  double onceTarget() {
    return onceTarget;
  }

  /** Returns the bytes of all ghosts. */
  long ghostBytes() {
    return onceGhosts.bytes + againGhosts.bytes;
  }
}
