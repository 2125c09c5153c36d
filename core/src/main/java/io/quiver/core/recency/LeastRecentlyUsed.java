package io.quiver.core.recency;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which keys a space of fixed size keeps when it always gives up the least recently used one.
 *
 * <p>An insert takes two steps, because writing takes time: {@link #reserve} makes room and names
 * what must go, {@link #keep} or {@link #release} says how the writing ended. Entries and
 * reservations together never pass the quota, and never number more than the bound on entries, so
 * memory is bounded however small the blobs are. Not thread-safe.
 *
 * <p>On one random permutation of the data set per epoch this hits c + (1 − c) ln(1 − c) of the
 * time, c being the share of the data set that fits: 2.2 % at c = 0.2. That is why shared caches of
 * training data need something better.
 *
 * @param <K> what names an entry
 */
public final class LeastRecentlyUsed<K> {
  private static final float LOAD = 0.75f;

  // In order of use, the least recent first.
  private final Map<K, Long> entries = new LinkedHashMap<>(16, LOAD, true);
  private final int maxEntries;
  private long quotaBytes;
  private long usedBytes;
  private long entryBytes;
  private int reservations;

  /** An empty space. */
  public LeastRecentlyUsed(long quotaBytes, int maxEntries) {
    if (quotaBytes < 0 || maxEntries < 1) {
      throw new IllegalArgumentException(
          "a space of " + quotaBytes + " bytes and " + maxEntries + " entries");
    }
    this.quotaBytes = quotaBytes;
    this.maxEntries = maxEntries;
  }

  /** Notes that a key was used; false if it is not here. */
  public boolean touch(K key) {
    return entries.get(key) != null;
  }

  /**
   * Makes room for an entry of this length.
   *
   * @return what has to go, already forgotten here; empty if there is no room whatever goes
   */
  public Optional<List<K>> reserve(long bytes) {
    long reserved = usedBytes - entryBytes;
    if (bytes > quotaBytes - reserved || reservations >= maxEntries) {
      return Optional.empty();
    }
    List<K> victims = new ArrayList<>();
    Iterator<Map.Entry<K, Long>> oldest = entries.entrySet().iterator();
    while (usedBytes + bytes > quotaBytes || entries.size() + reservations >= maxEntries) {
      Map.Entry<K, Long> victim = oldest.next();
      victims.add(victim.getKey());
      usedBytes -= victim.getValue();
      entryBytes -= victim.getValue();
      oldest.remove();
    }
    usedBytes += bytes;
    reservations++;
    return Optional.of(victims);
  }

  /** Turns a reservation of this length into an entry, the most recently used one. */
  public void keep(K key, long bytes) {
    if (entries.get(key) != null) {
      release(bytes);
      return;
    }
    reservations--;
    entries.put(key, bytes);
    entryBytes += bytes;
  }

  /** Gives a reservation back. */
  public void release(long bytes) {
    reservations--;
    usedBytes -= bytes;
  }

  /** Takes an entry out; false if it is not here. */
  public boolean forget(K key) {
    Long bytes = entries.remove(key);
    if (bytes != null) {
      usedBytes -= bytes;
      entryBytes -= bytes;
    }
    return bytes != null;
  }

  /** Takes all entries out; reservations stay. */
  public void clear() {
    usedBytes -= entryBytes;
    entryBytes = 0;
    entries.clear();
  }

  /** Changes the quota; a lower one takes effect with the next reservation. */
  public void quota(long bytes) {
    quotaBytes = bytes;
  }

  /** What entries and reservations may take. */
  public long quotaBytes() {
    return quotaBytes;
  }

  /** What entries and reservations take. */
  public long usedBytes() {
    return usedBytes;
  }

  /** How many entries there are. */
  public int size() {
    return entries.size();
  }
}
