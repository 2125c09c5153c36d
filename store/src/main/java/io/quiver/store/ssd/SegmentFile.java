package io.quiver.store.ssd;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Accesses the file of a segment: written at positions, read at positions or through one mapping.
 *
 * <p>Tests implement it as a disk that fails. Every method may be called from any thread.
 */
interface SegmentFile {
  /** Returns the path of the file. */
  Path path();

  /** Returns the current length of the file. */
  long length() throws IOException;

  /** Writes all bytes of the buffer at a position. */
  void write(ByteBuffer source, long position) throws IOException;

  /**
   * Reads up to {@code length} bytes at a position into native memory, past the page tables.
   *
   * @return how many were read; fewer only at the end of the file
   */
  long read(MemorySegment target, long length, long position) throws IOException;

  /**
   * Reads past the page cache where the file system can. Address, length and position are multiples
   * of a page.
   *
   * @return how many were read; fewer only at the end of the file
   */
  default long readDirect(MemorySegment target, long length, long position) throws IOException {
    return read(target, length, position);
  }

  /** Returns a descriptor for reads past the page cache, or a number below 0 without such reads. */
  default int directDescriptor() {
    return -1;
  }

  /** Truncates the file. */
  void truncate(long length) throws IOException;

  /** Returns the whole file, mapped; longer than the file while it still grows. */
  MemorySegment mapping();

  /** Unlinks the file; open descriptors and mappings stay readable. */
  void unlink() throws IOException;

  /** Unmaps and closes. */
  void close();

  /** Opens or creates segment files. */
  @FunctionalInterface
  interface Opener {
    /** Opens the file, creating it if it is not there, with a mapping of this length. */
    SegmentFile open(Path path, long mappedBytes) throws IOException;
  }
}
