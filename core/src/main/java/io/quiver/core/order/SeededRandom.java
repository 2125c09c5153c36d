package io.quiver.core.order;

/**
 * SplitMix64 with bounded numbers by multiplication: the same numbers from the same seed in every
 * language.
 */
public final class SeededRandom {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long state;

  /** Begins the numbers of a seed. */
  public SeededRandom(long seed) {
    state = seed;
  }

  /** Returns a seed for a part of a whole, unrelated to the seeds of its other parts. */
  public static long derive(long seed, long part) {
    return SeededPermutation.mix(seed + SeededPermutation.mix(part + GOLDEN));
  }

  /** Returns a number from 0 up to but excluding the bound. */
  public int below(int bound) {
    return (int) below((long) bound);
  }

  /** Returns a number from 0 up to but excluding the bound. */
  public long below(long bound) {
    state += GOLDEN;
    return Math.unsignedMultiplyHigh(SeededPermutation.mix(state), bound);
  }
}
