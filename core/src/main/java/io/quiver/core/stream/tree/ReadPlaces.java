package io.quiver.core.stream.tree;

import java.util.Arrays;

/**
 * The places of a directory or file that were read lately. The workers of a loader read parts that
 * lie side by side, so what follows a place may have been read already by another worker; it must
 * not be read ahead. A place that is read once more means that a new pass begins: then all is
 * forgotten.
 */
final class ReadPlaces {
  private static final int PLACES = 4096;

  private final long[] bits = new long[PLACES / Long.SIZE];

  /** The first place that the bits stand for; a multiple of 64. */
  private int first;

  /** Notes a read. */
  void note(int place) {
    if (contains(place)) {
      Arrays.fill(bits, 0);
    }
    int beyond = place - (first + PLACES - 1);
    if (beyond > 0) {
      advance((beyond + Long.SIZE - 1) / Long.SIZE);
    }
    if (place >= first) {
      bits[word(place)] |= 1L << place;
    }
  }

  /** Returns true if a place was read. */
  boolean contains(int place) {
    return place >= first && place - first < PLACES && (bits[word(place)] & (1L << place)) != 0;
  }

  private static int word(int place) {
    return place / Long.SIZE % (PLACES / Long.SIZE);
  }

  private void advance(int words) {
    for (int i = 0; i < Math.min(words, bits.length); i++) {
      bits[word(first + i * Long.SIZE)] = 0;
    }
    first += words * Long.SIZE;
  }
}
