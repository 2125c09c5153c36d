package io.quiver.node;

/** The size of a cache: a number of bytes, or a share of the free space of its disks. */
public sealed interface Capacity {
  /** Most bytes the default takes, however large the disks are. */
  long DEFAULT_BOUND_BYTES = 1_000_000_000_000L;

  /** The default of {@code up} and {@code server}. */
  Capacity DEFAULT = new Share(80, DEFAULT_BOUND_BYTES);

  /**
   * Returns the bytes this means on disks that offer so much, bytes the cache holds already
   * included.
   */
  long bytes(long offeredBytes);

  /** A number of bytes. */
  record Absolute(long wanted) implements Capacity {
    @Override
    public long bytes(long offeredBytes) {
      return wanted;
    }
  }

  /** A percentage of what the disks offer, up to a bound. */
  record Share(double percent, long boundBytes) implements Capacity {
    @Override
    public long bytes(long offeredBytes) {
      return Math.min(boundBytes, (long) (offeredBytes * (percent / 100)));
    }
  }
}
