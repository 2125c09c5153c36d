package io.quiver.cli.node;

import io.quiver.cli.console.ByteSize;

/** How many bytes a cache may take: so many bytes, or a share of what its disks have to offer. */
public sealed interface Capacity {
  /** Most bytes the default takes, however large the disks are. */
  long DEFAULT_BOUND_BYTES = 1_000_000_000_000L;

  /** What {@code up} and {@code server} take unless told otherwise. */
  Capacity DEFAULT = new Share(80, DEFAULT_BOUND_BYTES);

  /** The bytes this means on disks that offer so much, bytes the cache holds already included. */
  long bytes(long offeredBytes);

  /** So many bytes. */
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

  /** Reads {@code 200GB} or {@code 20%}. */
  static Capacity parse(String text) {
    String trimmed = text.strip();
    if (!trimmed.endsWith("%")) {
      long bytes = ByteSize.parse(trimmed).bytes();
      if (bytes == 0) {
        throw new IllegalArgumentException("a capacity of 0 holds nothing; write for example 20GB");
      }
      return new Absolute(bytes);
    }
    double percent = percent(trimmed);
    if (!(percent > 0 && percent <= 100)) {
      throw new IllegalArgumentException(
          "not a share of the disk: \"" + text + "\"; write more than 0% and at most 100%");
    }
    return new Share(percent, Long.MAX_VALUE);
  }

  private static double percent(String text) {
    try {
      return Double.parseDouble(text.substring(0, text.length() - 1).strip());
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
