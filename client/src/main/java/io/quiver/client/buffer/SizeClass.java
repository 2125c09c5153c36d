package io.quiver.client.buffer;

/**
 * Rounds buffer capacities: four steps for every doubling, so that buffers fit the next answer too
 * and at most a quarter of one is idle.
 */
final class SizeClass {
  /** Smallest capacity. */
  static final int MINIMUM = 4096;

  private SizeClass() {}

  /** Returns the least capacity that holds this many bytes. */
  static int capacity(int bytes) {
    if (bytes <= MINIMUM) {
      return MINIMUM;
    }
    int step = Integer.highestOneBit(bytes - 1) >>> 2;
    long rounded = ((long) bytes + step - 1) / step * step;
    return (int) Math.min(rounded, Integer.MAX_VALUE);
  }
}
