package io.quiver.store.ssd;

/**
 * Decides whether a record can be read through the mapping without waiting for a disk: from what a
 * recent sweep and our own reads and writes say, or, where that is old, by asking the kernel.
 */
final class Warmth {
  private final Sweeper sweeper;

  Warmth(Sweeper sweeper) {
    this.sweeper = sweeper;
  }

  boolean isWarm(Segment segment, long location, long now) {
    long offset = Location.offset(location);
    long bytes = Location.recordBytes(location);
    if (now - segment.sweptAt() < Sweeper.FRESH_NANOS) {
      return segment.residency().holds(offset, bytes);
    }
    if (segment.askForSweep()) {
      sweeper.ask(segment);
    }
    return isInMemory(segment, offset, bytes);
  }

  private static boolean isInMemory(Segment segment, long offset, long bytes) {
    long first = offset / Libc.PAGE_BYTES;
    int pages = (int) ((offset + bytes - 1) / Libc.PAGE_BYTES - first + 1);
    byte[] answer = new byte[pages];
    long address = segment.address() + first * Libc.PAGE_BYTES;
    if (!Libc.inMemory(address, (long) pages * Libc.PAGE_BYTES, answer)) {
      return false;
    }
    for (byte page : answer) {
      if ((page & 1) == 0) {
        return false;
      }
    }
    segment.residency().mark(offset, bytes);
    return true;
  }
}
