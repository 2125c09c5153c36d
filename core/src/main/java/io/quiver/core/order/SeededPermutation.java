package io.quiver.core.order;

/**
 * A random order of 0 … size − 1 that takes no memory: a Feistel network over the smallest number
 * of bits that the size needs, walked until it lands inside (two steps on average at most, but for
 * sizes below 128). With an odd number of bits the right half has one more. Two seeds give two
 * unrelated orders; one seed gives the same order in every language, since only 64-bit integer
 * arithmetic is used.
 */
public final class SeededPermutation {
  private static final int ROUNDS = 6;

  /** Narrower halves would favour some orders: their rounds have too few outcomes to mix. */
  private static final int MIN_HALF_BITS = 4;

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final int size;
  private final int rightBits;
  private final int leftMask;
  private final int rightMask;
  private final long[] keys = new long[ROUNDS];

  /** Makes the order of this many places that belongs to a seed. */
  public SeededPermutation(int size, long seed) {
    if (size < 0) {
      throw new IllegalArgumentException("a permutation of " + size + " places");
    }
    this.size = size;
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(size - 1, 1));
    rightBits = Math.max((bits + 1) / 2, MIN_HALF_BITS);
    leftMask = (1 << Math.max(bits / 2, MIN_HALF_BITS)) - 1;
    rightMask = (1 << rightBits) - 1;
    for (int round = 0; round < ROUNDS; round++) {
      keys[round] = mix(seed + (round + 1) * GOLDEN);
    }
  }

  /** Returns how many places there are. */
  public int size() {
    return size;
  }

  /** Returns the number at a place. */
  public int at(int place) {
    if (place < 0 || place >= size) {
      throw new IndexOutOfBoundsException("place " + place + " of " + size);
    }
    long value = place;
    do {
      value = encrypt(value);
    } while (value >= size);
    return (int) value;
  }

  /** Changes each half by what the other says, one after the other. */
  private long encrypt(long value) {
    long left = value >>> rightBits;
    long right = value & rightMask;
    for (int round = 0; round < ROUNDS; round += 2) {
      left ^= mix(right ^ keys[round]) & leftMask;
      right ^= mix(left ^ keys[round + 1]) & rightMask;
    }
    return left << rightBits | right;
  }

  /**
   * Mixes bits as SplitMix64 finishes: every bit of the input changes half the bits of the result.
   */
  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
