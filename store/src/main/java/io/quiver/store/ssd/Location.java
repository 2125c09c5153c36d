package io.quiver.store.ssd;

/**
 * Packs the place of a record in one long: the segment (16 bits), the offset (24 bits of 64-byte
 * units) and the length (24 bits of 64-byte units). Never 0, because a segment begins with its own
 * header.
 *
 * <p>All names have one length, so theirs is written as 0: who has a location knows a name from a
 * blob without reading either.
 */
final class Location {
  /** The number of segments that 16 bits can name. */
  static final int MAX_SEGMENTS = 1 << 16;

  private static final int UNIT_SHIFT = 6;
  private static final int UNIT_BITS = 24;
  private static final long UNIT_MASK = (1L << UNIT_BITS) - 1;

  private Location() {}

  static long of(int segment, long offset, RecordHeader header) {
    return of(segment, offset, header.isName() ? 0 : header.recordBytes());
  }

  /** Returns the location of a record that is no name. */
  static long of(int segment, long offset, long recordBytes) {
    return ((long) segment << (2 * UNIT_BITS))
        | ((offset >>> UNIT_SHIFT) << UNIT_BITS)
        | (recordBytes >>> UNIT_SHIFT);
  }

  /** Returns true if the record is a name. */
  static boolean isName(long location) {
    return (location & UNIT_MASK) == 0;
  }

  /** Returns true if a record with this header can lie at a location: kind and length agree. */
  static boolean fits(long location, RecordHeader header) {
    return header.isName() == isName(location) && header.recordBytes() == recordBytes(location);
  }

  static int segment(long location) {
    return (int) (location >>> (2 * UNIT_BITS));
  }

  static long offset(long location) {
    return ((location >>> UNIT_BITS) & UNIT_MASK) << UNIT_SHIFT;
  }

  static long recordBytes(long location) {
    return isName(location) ? RecordHeader.NAME_RECORD_BYTES : (location & UNIT_MASK) << UNIT_SHIFT;
  }
}
