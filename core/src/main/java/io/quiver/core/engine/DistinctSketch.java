package io.quiver.core.engine;

import java.util.Arrays;

/**
 * Estimates how many different keys it has seen, in bounded memory: it keeps the smallest hashes,
 * and the largest of these tells how densely hashes lie (k minimum values, Bar-Yossef et al. 2002).
 * The estimate is within a tenth, nearly always.
 */
final class DistinctSketch {
  private static final int KEPT = 1024;
  private static final double HASHES = Math.pow(2, 64);

  private final long[] smallest = new long[KEPT];
  private int kept;

  /** Notes a key; its bits must be as good as random. */
  void note(long hash) {
    if (kept == KEPT && Long.compareUnsigned(hash, smallest[kept - 1]) >= 0) {
      return;
    }
    int place = place(hash);
    if (place < kept && smallest[place] == hash) {
      return;
    }
    int moved = Math.min(kept, KEPT - 1) - place;
    System.arraycopy(smallest, place, smallest, place + 1, moved);
    smallest[place] = hash;
    kept = Math.min(KEPT, kept + 1);
  }

  /** Returns the first place whose hash is not smaller. */
  private int place(long hash) {
    int low = 0;
    int high = kept;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(smallest[middle], hash) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns about how many different keys were noted. */
  double estimate() {
    if (kept < KEPT) {
      return kept;
    }
    double largest = smallest[KEPT - 1] >>> 1;
    return (KEPT - 1) / ((2 * largest + 1) / HASHES);
  }

  /** Notes all that another sketch has noted. */
  void noteAll(DistinctSketch other) {
    for (int i = 0; i < other.kept; i++) {
      note(other.smallest[i]);
    }
  }

  void clear() {
    Arrays.fill(smallest, 0, kept, 0);
    kept = 0;
  }
}
