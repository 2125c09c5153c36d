package io.quiver.core.order;

/**
 * SplitMix64 with bounded numbers by multiplication: the same numbers from the same seed in every
 * language.
 */
final class SeededRandom {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long state;

  SeededRandom(long seed) {
    state = seed;
  }

  /** Returns a seed for a part of a whole, unrelated to the seeds of its other parts. */
  static long derive(long seed, long part) {
    return SeededPermutation.mix(seed + SeededPermutation.mix(part + GOLDEN));
  }

  /** Returns a number from 0 up to but excluding the bound. */
  int below(int bound) {
    state += GOLDEN;
    return (int) Math.unsignedMultiplyHigh(SeededPermutation.mix(state), bound);
  }
}
