package io.quiver.node;

/**
 * How many bytes a store on disk needs to hold so many bytes of blobs: it keeps some in reserve for
 * moving blobs together, and pads them. The budget of a cache is not this, but the bytes of blobs.
 */
public final class DiskOverhead {
  private static final long LEAST = 256L << 20;

  private DiskOverhead() {}

  /** Bytes of disk for so many bytes of blobs. */
  public static long bytes(long blobBytes) {
    return Math.max(LEAST, 3 * blobBytes);
  }
}
