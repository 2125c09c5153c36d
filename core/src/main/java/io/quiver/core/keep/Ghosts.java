package io.quiver.core.keep;

import java.util.ArrayList;
import java.util.List;

/**
 * Remembers blobs that went lately, to tell what a larger quota would have kept.
 *
 * <p>The age of a ghost is the number of bytes evicted since it went: had the quota been larger by
 * that much, the blob would still be here. A blob that came back and went again since counts twice
 * in that age, so ghosts tell somewhat less than a larger quota would give, never more. Ghosts
 * older than one quota are forgotten.
 *
 * <p>Bounded: two cells of four bytes for every blob kept at most, in sets of four in which the
 * oldest is overwritten. A cell has 20 bits of the key beside its place, and the time of eviction
 * in 12. All are forgotten when the cells grow in number, which happens a few times.
 */
final class Ghosts {
  /** Parts of the quota by which hits are counted. */
  static final int BUCKETS = 8;

  private static final int WAYS = 4;
  private static final int FIRST_CELLS = 128;
  private static final int CELLS_PER_BLOB = 2;
  private static final int TICK_BITS = 12;
  private static final int TICK_MASK = (1 << TICK_BITS) - 1;

  /** Ticks of the clock in one quota: a quarter of what a cell can tell apart. */
  private static final long TICKS_PER_QUOTA = 1 << (TICK_BITS - 2);

  private final long[] hits = new long[BUCKETS];
  private int[] cells = new int[FIRST_CELLS]; // bits of the key, then ticks; 0 is empty
  private long quotaBytes;
  private long bytesPerTick;
  private long evictedBytes;
  private int ticks;

  Ghosts(long quotaBytes) {
    resize(quotaBytes);
  }

  void resize(long bytes) {
    quotaBytes = Math.max(1, bytes);
    bytesPerTick = Math.max(1, quotaBytes / TICKS_PER_QUOTA);
  }

  /** Notes that a blob went; its keeper now has so many. */
  void evicted(long key, long bytes, int blobs) {
    int wanted = CELLS_PER_BLOB * Integer.highestOneBit(Math.max(1, blobs));
    if (wanted > cells.length || (wanted * 4L <= cells.length && cells.length > FIRST_CELLS)) {
      cells = new int[Math.max(FIRST_CELLS, wanted)];
    }
    evictedBytes += bytes;
    if (evictedBytes >= bytesPerTick) {
      ticks += (int) (evictedBytes / bytesPerTick);
      evictedBytes %= bytesPerTick;
    }
    place(KeyTable.mix(key));
  }

  /** Looks for the ghost of a blob that was missed, counts and removes it. */
  boolean missed(long key) {
    long hash = KeyTable.mix(key);
    int tag = tag(hash);
    int first = set(hash);
    for (int i = first; i < first + WAYS; i++) {
      if (cells[i] != 0 && cells[i] >>> TICK_BITS == tag) {
        long age = age(cells[i]) * bytesPerTick;
        cells[i] = 0;
        if (age >= quotaBytes) {
          return false;
        }
        hits[(int) Math.min(BUCKETS - 1, age * BUCKETS / quotaBytes)]++;
        return true;
      }
    }
    return false;
  }

  private long age(int cell) {
    return ((long) ticks - cell) & TICK_MASK;
  }

  private void place(long hash) {
    int first = set(hash);
    int place = first;
    for (int i = first; i < first + WAYS && cells[place] != 0; i++) {
      if (cells[i] == 0 || age(cells[i]) > age(cells[place])) {
        place = i;
      }
    }
    cells[place] = tag(hash) << TICK_BITS | (ticks & TICK_MASK);
  }

  private int set(long hash) {
    return ((int) (hash >>> 32) & (cells.length / WAYS - 1)) * WAYS;
  }

  /** Returns 20 bits of a key that are never all zero: an empty cell is 0. */
  private static int tag(long hash) {
    return (int) hash >>> TICK_BITS | 1;
  }

  List<Long> hits() {
    List<Long> copy = new ArrayList<>(BUCKETS);
    for (long each : hits) {
      copy.add(each);
    }
    return copy;
  }

  long memoryBytes() {
    return (long) Integer.BYTES * cells.length;
  }
}
