package io.quiver.store.ssd;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Tracks which pages of a segment are believed to be in memory: one bit each, set by our writes and
 * reads, corrected by sweeps. A wrong "no" costs a needless read by the pool; a wrong "yes" costs a
 * page fault in the sender, which is why sweeps come every second.
 *
 * <p>The bits lie outside the heap, in memory that the system provides as it is written to: a part
 * of the segment that nobody reads costs nothing.
 */
final class PageResidency {
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment words;

  PageResidency(long segmentBytes, Arena arena) {
    words = Libc.untouched((pages(segmentBytes) + 63) / Long.SIZE * Long.BYTES, arena);
  }

  static long pages(long bytes) {
    return (bytes + Libc.PAGE_BYTES - 1) / Libc.PAGE_BYTES;
  }

  /** Marks these bytes as being in memory. */
  void mark(long offset, long length) {
    long last = (offset + Math.max(length, 1) - 1) / Libc.PAGE_BYTES;
    for (long page = offset / Libc.PAGE_BYTES; page <= last; page = (page | 63) + 1) {
      long mask = mask(page, last);
      if ((word(page) & mask) != mask) {
        long _ = (long) WORD.getAndBitwiseOr(words, at(page), mask);
      }
    }
  }

  /** Returns true if all these bytes are believed to be in memory. */
  boolean holds(long offset, long length) {
    long last = (offset + Math.max(length, 1) - 1) / Libc.PAGE_BYTES;
    for (long page = offset / Libc.PAGE_BYTES; page <= last; page = (page | 63) + 1) {
      long mask = mask(page, last);
      if ((word(page) & mask) != mask) {
        return false;
      }
    }
    return true;
  }

  /** Corrects the 64 pages from this one; returns true if one was wrongly believed in memory. */
  boolean correct(long page, long inMemory) {
    if (word(page) == inMemory) {
      return false;
    }
    return ((long) WORD.getAndSet(words, at(page), inMemory) & ~inMemory) != 0;
  }

  /** Clears all pages. */
  void clear() {
    for (long page = 0; page < words.byteSize() * Byte.SIZE; page += Long.SIZE) {
      boolean _ = correct(page, 0);
    }
  }

  private long word(long page) {
    return (long) WORD.getAcquire(words, at(page));
  }

  private static long at(long page) {
    return page / Long.SIZE * Long.BYTES;
  }

  // Ones from this page to the last page or the end of its word.
  private static long mask(long page, long last) {
    long from = -1L << (page & 63);
    long upTo = (page >>> 6) == (last >>> 6) ? -1L >>> (63 - (last & 63)) : -1L;
    return from & upTo;
  }
}
