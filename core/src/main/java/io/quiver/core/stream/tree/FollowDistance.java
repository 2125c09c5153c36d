package io.quiver.core.stream.tree;

/**
 * Measures how far a reader of a stream is behind another that reads the same: the bytes that were
 * read for the first time in between.
 */
final class FollowDistance {
  static final long HELD_BYTES = 40;

  private static final double MEMORY = 64;

  /** With fewer reads that follow another, nobody follows. */
  private static final double LEAST_SHARE = 0.25;

  private long newBytes;
  private double share;
  private double distance;

  /** Notes a read of what nobody has read lately. */
  void first(int bytes) {
    newBytes += bytes;
    share -= share / MEMORY;
  }

  /**
   * Notes a read of what another reader has read.
   *
   * @param mark the {@link #mark} at that time
   */
  void followed(long mark) {
    double between = Math.max(0, newBytes - mark);
    distance = distance == 0 ? between : distance + (between - distance) / MEMORY;
    share += (1 - share) / MEMORY;
  }

  /** Returns the number of bytes that were read for the first time until now. */
  long mark() {
    return newBytes;
  }

  /** Returns the bytes between two readers; 0 if none follows another closely. */
  long bytes(long streamBytes) {
    boolean follows = share >= LEAST_SHARE && distance < streamBytes / 2.0;
    return follows ? Math.max(1, Math.round(distance)) : 0;
  }
}
