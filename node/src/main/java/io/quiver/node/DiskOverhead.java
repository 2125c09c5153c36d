package io.quiver.node;

/**
 * Computes the bytes of disk that a store needs for a number of bytes of blobs, with its reserve
 * and padding. The budget of a cache is not this, but the bytes of blobs.
 */
public final class DiskOverhead {
  private static final long LEAST = 256L << 20;

  private DiskOverhead() {}

  /** Bytes of disk for so many bytes of blobs. */
  public static long bytes(long blobBytes) {
    return Math.max(LEAST, 3 * blobBytes);
  }
}
