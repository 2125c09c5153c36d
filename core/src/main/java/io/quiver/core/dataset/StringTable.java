package io.quiver.core.dataset;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strings of a digest by index: a view over the starts and the bytes, nothing is copied. */
final class StringTable {
  /** Longest string in bytes; a start far off the mark must not become a huge allocation. */
  static final int MAX_STRING_BYTES = 1 << 16;

  private final MemorySegment file;
  private final PlacedSection starts;
  private final PlacedSection bytes;

  StringTable(MemorySegment file, PlacedSection starts, PlacedSection bytes) {
    this.file = file;
    this.starts = starts;
    this.bytes = bytes;
    requireEdges();
  }

  long count() {
    return starts.bytes() / Long.BYTES - 1;
  }

  String string(long index) {
    return StandardCharsets.UTF_8.decode(utf8(index)).toString();
  }

  /** Returns the string's bytes, checked to lie inside the table; a view, not a copy. */
  ByteBuffer utf8(long index) {
    long at = startPosition(index);
    long start = file.get(DatasetDigest.INT64, at);
    long end = file.get(DatasetDigest.INT64, at + Long.BYTES);
    if (start < 0 || end < start || end > bytes.bytes() || end - start > MAX_STRING_BYTES) {
      throw new DigestFormatException(
          at,
          "string %d of %s runs from %d to %d in a table of %d bytes"
              .formatted(index, bytes.label(), start, end, bytes.bytes()),
          "the file is damaged: copy it again or build it again");
    }
    return file.asSlice(bytes.position() + start, end - start).asByteBuffer();
  }

  /** Checks that every string lies in its bounds, in order, and is valid UTF-8. */
  void verify() {
    for (long i = 0; i < count(); i++) {
      try {
        StandardCharsets.UTF_8.newDecoder().decode(utf8(i));
      } catch (CharacterCodingException e) {
        throw new DigestFormatException(
            startPosition(i),
            "string " + i + " of " + bytes.label() + " is not valid UTF-8",
            "build the digest again with this version of quiver");
      }
    }
  }

  private long startPosition(long index) {
    if (index < 0 || index >= count()) {
      throw new IndexOutOfBoundsException(
          bytes.label() + " has " + count() + " strings, there is none at " + index);
    }
    return starts.position() + index * Long.BYTES;
  }

  private void requireEdges() {
    long first = file.get(DatasetDigest.INT64, starts.position());
    long last = file.get(DatasetDigest.INT64, starts.position() + starts.bytes() - Long.BYTES);
    if (first != 0 || last != bytes.bytes()) {
      throw new DigestFormatException(
          starts.position(),
          "%s runs from %d to %d, it should run from 0 to %d"
              .formatted(starts.label(), first, last, bytes.bytes()),
          "the file is damaged: copy it again or build it again");
    }
  }
}
