package io.quiver.core.keep;

/**
 * Estimates how often keys were seen lately, in 4-bit counters of which each key has four
 * (TinyLFU). All counts are halved after eight times as many keys as there are counters to a row,
 * so that what was popular once is forgotten.
 */
final class FrequencySketch {
  private static final int ROWS = 4;
  private static final int MOST = 15;
  private static final int COUNTERS_PER_WORD = 16;
  private static final int SEEN_PER_ENTRY = 8;
  private static final int FIRST_ENTRIES = 64;
  private static final long LOW_BITS_CLEAR = 0x7777777777777777L;

  private long[] words = new long[FIRST_ENTRIES * ROWS / COUNTERS_PER_WORD];
  private long seen;

  /** Grows to so many keys; counts are lost when it grows. */
  void fit(int entries) {
    int wanted = Integer.highestOneBit(Math.max(FIRST_ENTRIES, entries)) * ROWS / COUNTERS_PER_WORD;
    if (wanted > words.length || wanted * 4L <= words.length) {
      words = new long[wanted];
      seen = 0;
    }
  }

  /** Counts a key. */
  void see(long key) {
    long hash = KeyTable.mix(key);
    for (int row = 0; row < ROWS; row++) {
      int counter = counter(hash, row);
      int shift = (counter & (COUNTERS_PER_WORD - 1)) * 4;
      int word = counter / COUNTERS_PER_WORD;
      if ((words[word] >>> shift & MOST) < MOST) {
        words[word] += 1L << shift;
      }
    }
    seen++;
    if (seen >= (long) SEEN_PER_ENTRY * words.length * COUNTERS_PER_WORD / ROWS) {
      age();
    }
  }

  /** Returns the estimate for a key, 0 to 15. */
  int frequency(long key) {
    long hash = KeyTable.mix(key);
    int least = MOST;
    for (int row = 0; row < ROWS; row++) {
      int counter = counter(hash, row);
      int shift = (counter & (COUNTERS_PER_WORD - 1)) * 4;
      least = Math.min(least, (int) (words[counter / COUNTERS_PER_WORD] >>> shift) & MOST);
    }
    return least;
  }

  private int counter(long hash, int row) {
    long bits = (hash + row * 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
    return (int) (bits >>> 32) & (words.length * COUNTERS_PER_WORD - 1);
  }

  private void age() {
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i] >>> 1 & LOW_BITS_CLEAR;
    }
    seen /= 2;
  }

  long memoryBytes() {
    return (long) Long.BYTES * words.length;
  }
}
