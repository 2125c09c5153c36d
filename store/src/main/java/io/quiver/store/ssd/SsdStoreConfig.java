package io.quiver.store.ssd;

import java.nio.file.Path;
import java.util.List;

/**
 * Settings and bounds of an SSD store.
 *
 * @param directories where it lives, one per disk; each must exist and be writable
 * @param capacityBytes what all directories together may hold, headers and padding included
 * @param maxBlobBytes longest blob it takes
 * @param segmentBytes length of a segment file; a longer blob gets a segment of its own
 * @param coldReaders threads that read from disk what is not in memory
 * @param coldBufferBytes bound on the memory of blobs read from disk and not yet sent
 */
public record SsdStoreConfig(
    List<Path> directories,
    long capacityBytes,
    long maxBlobBytes,
    long segmentBytes,
    int coldReaders,
    long coldBufferBytes) {

  /** Longest segment file. */
  public static final long MAX_SEGMENT_BYTES = 1L << 30;

  /** Shortest segment file. */
  public static final long MIN_SEGMENT_BYTES = 64 << 10;

  private static final long DEFAULT_MAX_BLOB_BYTES = 256L << 20;
  private static final long DEFAULT_COLD_BUFFER_BYTES = 256L << 20;
  private static final int DEFAULT_COLD_READERS = 16;

  /** The share of the capacity that headers and padding leave. */
  private static final double USABLE_SHARE = 0.98;

  public SsdStoreConfig {
    directories = List.copyOf(directories);
    require(!directories.isEmpty(), "directories", 0, "at least one");
    require(capacityBytes > 0, "capacityBytes", capacityBytes, "more than 0");
    require(
        maxBlobBytes >= 0 && maxBlobBytes <= MAX_SEGMENT_BYTES - 4096,
        "maxBlobBytes",
        maxBlobBytes,
        "0 to " + (MAX_SEGMENT_BYTES - 4096));
    require(
        segmentBytes >= MIN_SEGMENT_BYTES && segmentBytes <= MAX_SEGMENT_BYTES,
        "segmentBytes",
        segmentBytes,
        MIN_SEGMENT_BYTES + " to " + MAX_SEGMENT_BYTES);
    require(coldReaders > 0 && coldReaders <= 1024, "coldReaders", coldReaders, "1 to 1024");
    require(coldBufferBytes > 0, "coldBufferBytes", coldBufferBytes, "more than 0");
  }

  /**
   * Returns defaults that suit most machines: segments of up to 1 GiB, 16 readers, blobs to 256 MiB
   * or an eighth of a directory's share.
   */
  public static SsdStoreConfig of(List<Path> directories, long capacityBytes) {
    long share = capacityBytes / Math.max(1, directories.size());
    return new SsdStoreConfig(
        directories,
        capacityBytes,
        Math.min(share / 8, DEFAULT_MAX_BLOB_BYTES),
        Math.clamp(share / 32, MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES),
        DEFAULT_COLD_READERS,
        DEFAULT_COLD_BUFFER_BYTES);
  }

  /** Returns the bytes of blobs the store can hold for sure, unless they are tiny. */
  public long usableBytes() {
    long share = capacityBytes / directories.size();
    long longest = Math.max(segmentBytes, RecordHeader.recordBytes(maxBlobBytes));
    long forBlobs = share - Math.min(longest + Libc.PAGE_BYTES, share / 4);
    double readable = forBlobs * 15.0 / 16;
    return directories.size() * (long) (readable * USABLE_SHARE);
  }

  private static void require(boolean holds, String name, long value, String allowed) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + " but must be " + allowed);
    }
  }
}
