package io.quiver.simulator.engine;

/**
 * Random numbers that follow from a seed (SplitMix64). Every part of a simulation has its own,
 * derived by name, so that adding a part does not change what the others draw.
 */
public final class SeededNumbers {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final double UNIT = 0x1.0p-53;

  private long state;

  /** The numbers of a seed. */
  public SeededNumbers(long seed) {
    state = seed;
  }

  /** Returns the numbers of a part. */
  public static SeededNumbers of(long seed, String part) {
    return new SeededNumbers(derive(seed, part));
  }

  /** Returns a seed for a part, unrelated to those of other parts. */
  public static long derive(long seed, String part) {
    long mixed = mix(seed + GOLDEN);
    for (int i = 0; i < part.length(); i++) {
      mixed = mix(mixed * 31 + part.charAt(i));
    }
    return mixed;
  }

  /** Returns any number. */
  public long next() {
    state += GOLDEN;
    return mix(state);
  }

  /** From 0 up to but excluding 1. */
  public double fraction() {
    return (next() >>> 11) * UNIT;
  }

  /** From 0 up to but excluding the bound. */
  public int below(int bound) {
    return (int) Math.unsignedMultiplyHigh(next(), bound);
  }

  /** Returns every bit in moves half the bits out. */
  public static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
