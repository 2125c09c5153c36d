package io.quiver.core.placement;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.number.BinaryLogarithm;
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

  /** LOG2[i] is 2^32 · log2(1 + i / 4096), as {@link BinaryLogarithm} finds its bits. */
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
      long x = (1L << 31) + ((long) i << (31 - INDEX_BITS));
      table[i] = BinaryLogarithm.fraction(x, COST_BITS);
    }
    table[1 << INDEX_BITS] = 1L << COST_BITS;
    return table;
  }
}
