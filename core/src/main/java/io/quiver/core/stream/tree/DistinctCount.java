package io.quiver.core.stream.tree;

/** Estimates how many different items were read, within 5 %, in half a kilobyte (HyperLogLog). */
final class DistinctCount {
  static final long HELD_BYTES = 552;

  private static final int BITS = 9;
  private static final int REGISTERS = 1 << BITS;
  private static final double BIAS = 0.7213 / (1 + 1.079 / REGISTERS);
  private static final double SMALL = 2.5;

  private final byte[] registers = new byte[REGISTERS];

  void add(long key) {
    long hash = key * 0x9E3779B97F4A7C15L;
    hash ^= hash >>> 32;
    hash *= 0xD6E8FEB86659FD93L;
    hash ^= hash >>> 32;
    int register = (int) (hash >>> (Long.SIZE - BITS));
    int zeros = Long.numberOfLeadingZeros((hash << BITS) | 1) + 1;
    if (zeros > registers[register]) {
      registers[register] = (byte) zeros;
    }
  }

  long estimate() {
    double sum = 0;
    int empty = 0;
    for (byte register : registers) {
      sum += Math.scalb(1.0, -register);
      empty += register == 0 ? 1 : 0;
    }
    double raw = BIAS * REGISTERS * REGISTERS / sum;
    return Math.round(
        raw <= SMALL * REGISTERS && empty > 0
            ? REGISTERS * Math.log((double) REGISTERS / empty)
            : raw);
  }
}
