package io.quiver.core.placement;

import io.quiver.core.hash.ContentHash;
import java.nio.charset.StandardCharsets;

/**
 * The arithmetic of weighted rendezvous hashing, in 64-bit integers only, so that every language
 * gets the same table to the last bit. No floating point: logarithms differ between platforms.
 *
 * <p>A member's seed is the first 8 bytes of the SHA-256 of its name in ASCII, most significant
 * first. Its draw for slot s is output number s of SplitMix64 with that seed. The draw, read as a
 * fraction u of 2^64, costs −log2(u); the member with the least cost per weight owns the slot.
 */
final class Weighing {
  /** Fraction bits of a cost. */
  static final int COST_BITS = 32;

  private static final int INDEX_BITS = 12;
  private static final int REST_BITS = 20;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  /** LOG2[i] is 2^32 · log2(1 + i / 4096), as {@link #logarithm} finds its bits. */
  private static final long[] LOG2 = logarithms();

  private Weighing() {}

  /** Returns where a member's draws begin. */
  static long seed(String id) {
    return ContentHash.ofContent(id.getBytes(StandardCharsets.US_ASCII)).prefix();
  }

  /** Returns the draw for a slot, an unsigned 64-bit number. */
  static long draw(long seed, int slot) {
    long z = seed + (slot + 1) * GOLDEN;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /**
   * 2^32 · −log2(draw / 2^64), at most 64 · 2^32; never rises as the draw rises. The lowest bit of
   * the draw counts as set.
   */
  static long cost(long draw) {
    int zeros = Long.numberOfLeadingZeros(draw | 1);
    long fraction = (draw | 1) << zeros << 1 >>> (64 - INDEX_BITS - REST_BITS);
    int index = (int) (fraction >>> REST_BITS);
    long rest = fraction & ((1L << REST_BITS) - 1);
    long low = LOG2[index];
    long log = low + (((LOG2[index + 1] - low) * rest) >>> REST_BITS);
    return ((long) (zeros + 1) << COST_BITS) - log;
  }

  private static long[] logarithms() {
    long[] table = new long[(1 << INDEX_BITS) + 1];
    for (int i = 0; i < 1 << INDEX_BITS; i++) {
      table[i] = logarithm((1L << 31) + ((long) i << (31 - INDEX_BITS)));
    }
    table[1 << INDEX_BITS] = 1L << COST_BITS;
    return table;
  }

  /**
   * Returns the first 32 bits of log2(x / 2^31) for x from 2^31 up to 2^32: squaring doubles the
   * logarithm, and each time it passes 1 the next bit is set. What does not fit 32 bits is cut off.
   */
  private static long logarithm(long x) {
    long bits = 0;
    for (int i = 0; i < COST_BITS; i++) {
      x = (x * x) >>> 31;
      bits <<= 1;
      if (x >= 1L << 32) {
        x >>>= 1;
        bits |= 1;
      }
    }
    return bits;
  }
}
