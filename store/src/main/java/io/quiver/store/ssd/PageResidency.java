package io.quiver.store.ssd;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Tracks which pages of a segment are believed to be in memory: one bit each, set by our writes and
 * reads, corrected by sweeps. A wrong "no" costs a needless read by the pool; a wrong "yes" costs a
 * page fault in the sender, which is why sweeps come every second.
 */
final class PageResidency {
  private final AtomicLongArray words;

  PageResidency(long segmentBytes) {
    words = new AtomicLongArray((int) ((pages(segmentBytes) + 63) >>> 6));
  }

  static long pages(long bytes) {
    return (bytes + Libc.PAGE_BYTES - 1) / Libc.PAGE_BYTES;
  }

  /** Marks these bytes as being in memory. */
  void mark(long offset, long length) {
    long last = (offset + Math.max(length, 1) - 1) / Libc.PAGE_BYTES;
    for (long page = offset / Libc.PAGE_BYTES; page <= last; page = (page | 63) + 1) {
      int word = (int) (page >>> 6);
      long mask = mask(page, last);
      if ((words.get(word) & mask) != mask) {
        words.getAndAccumulate(word, mask, (bits, more) -> bits | more);
      }
    }
  }

  /** Returns true if all these bytes are believed to be in memory. */
  boolean holds(long offset, long length) {
    long last = (offset + Math.max(length, 1) - 1) / Libc.PAGE_BYTES;
    for (long page = offset / Libc.PAGE_BYTES; page <= last; page = (page | 63) + 1) {
      long mask = mask(page, last);
      if ((words.get((int) (page >>> 6)) & mask) != mask) {
        return false;
      }
    }
    return true;
  }

  /** Corrects 64 pages; returns true if a page believed to be in memory was not. */
  boolean correct(int word, long inMemory) {
    return (words.getAndSet(word, inMemory) & ~inMemory) != 0;
  }

  /** Clears all pages. */
  void clear() {
    for (int word = 0; word < words.length(); word++) {
      words.set(word, 0);
    }
  }

  // Ones from this page to the last page or the end of its word.
  private static long mask(long page, long last) {
    long from = -1L << (page & 63);
    long upTo = (page >>> 6) == (last >>> 6) ? -1L >>> (63 - (last & 63)) : -1L;
    return from & upTo;
  }
}
