package io.quiver.store.ssd;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Walks the records of a segment file from header to header. Where there is none, it looks for the
 * next at every 64 bytes: a damaged header costs its own blob, not those behind it.
 */
final class SegmentScanner implements AutoCloseable {
  private static final int WIDE_WINDOW = 256 << 10;
  private static final int NARROW_WINDOW = Libc.PAGE_BYTES;

  /** Records longer than this are stepped over instead of read through. */
  private static final int LONG_RECORD = 64 << 10;

  private final SegmentFile file;
  private final long nonce;
  private final long length;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment window = arena.allocate(WIDE_WINDOW, RecordHeader.BYTES);
  private final ByteBuffer view = window.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  private long windowStart;
  private long windowLength;
  private int nextWindow = WIDE_WINDOW;
  private long offset = SegmentHeader.BYTES;
  private long end = SegmentHeader.BYTES;
  private @Nullable RecordHeader header;

  SegmentScanner(SegmentFile file, long nonce, long length) {
    this.file = file;
    this.nonce = nonce;
    this.length = length;
  }

  /** Moves to the next whole record; returns false at the end. */
  boolean next() throws IOException {
    RecordHeader last = header;
    if (last != null) {
      offset += last.recordBytes();
      nextWindow = last.recordBytes() > LONG_RECORD ? NARROW_WINDOW : WIDE_WINDOW;
    }
    for (; offset + RecordHeader.BYTES <= length; offset += RecordHeader.BYTES) {
      header = headerAt(offset);
      if (header != null && fits(header)) {
        end = offset + header.recordBytes();
        return true;
      }
      nextWindow = WIDE_WINDOW;
    }
    header = null;
    offset = length;
    return false;
  }

  // The last record's padding need not be in the file.
  private boolean fits(RecordHeader found) {
    long bytes = RecordHeader.BYTES + (found.hasContent() ? (long) found.length() : 0);
    return offset + bytes <= length;
  }

  RecordHeader header() {
    RecordHeader current = header;
    if (current == null) {
      throw new IllegalStateException("not at a record");
    }
    return current;
  }

  long offset() {
    return offset;
  }

  /** Returns the end of the last record seen, with its padding. */
  long end() {
    return end;
  }

  private @Nullable RecordHeader headerAt(long position) throws IOException {
    if (position < windowStart || position + RecordHeader.BYTES > windowStart + windowLength) {
      windowStart = position;
      windowLength = file.read(window, Math.min(nextWindow, length - position), position);
      if (windowLength < RecordHeader.BYTES) {
        return null;
      }
    }
    return RecordHeader.read(view, (int) (position - windowStart), nonce);
  }

  /** Returns true if the record's bytes have their checksum. */
  boolean isWhole() throws IOException {
    RecordHeader current = header();
    if (!current.hasContent()) {
      return true;
    }
    CRC32C crc = new CRC32C();
    long position = offset + RecordHeader.BYTES;
    long left = current.length();
    if (position + left <= windowStart + windowLength) {
      crc.update(view.slice((int) (position - windowStart), (int) left));
      return (int) crc.getValue() == current.crc32c();
    }
    windowLength = 0; // the window is borrowed for the bytes
    while (left > 0) {
      long read = file.read(window, Math.min(left, WIDE_WINDOW), position);
      if (read <= 0) {
        return false;
      }
      crc.update(view.duplicate().clear().limit((int) read));
      position += read;
      left -= read;
    }
    return (int) crc.getValue() == current.crc32c();
  }

  @Override
  public void close() {
    arena.close();
  }
}
