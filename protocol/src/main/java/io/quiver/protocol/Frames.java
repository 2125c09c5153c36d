package io.quiver.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Checks that all frames share. */
final class Frames {
  private Frames() {}

  static int magic(char a, char b, char c, char d) {
    return a | b << 8 | c << 16 | d << 24;
  }

  /** Returns the remaining bytes of a buffer as a little-endian view that begins at zero. */
  static ByteBuffer view(ByteBuffer buffer) {
    return buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Checks the length of the fixed part and the magic. */
  static void requireStart(ByteBuffer frame, int headerBytes, int magic, String what)
      throws FrameException {
    if (frame.capacity() < headerBytes) {
      throw new FrameException(
          what + " of " + frame.capacity() + " bytes; its header alone has " + headerBytes);
    }
    if (frame.getInt(0) != magic) {
      throw new FrameException(
          String.format("%s begins with 0x%08x, expected 0x%08x", what, frame.getInt(0), magic));
    }
  }

  /** Checks a count that came from outside. */
  static int requireCount(int count, String what) throws FrameException {
    if (count < 1 || count > Wire.MAX_BATCH) {
      throw new FrameException(
          what
              + " for "
              + Integer.toUnsignedString(count)
              + " rows; 1 to "
              + Wire.MAX_BATCH
              + " are allowed");
    }
    return count;
  }

  /** Checks four bytes that are reserved. */
  static void requireZero(ByteBuffer frame, int at, String what) throws FrameException {
    if (frame.getInt(at) != 0) {
      throw new FrameException(
          String.format(
              "%s with 0x%08x at byte %d, where zeros belong", what, frame.getInt(at), at));
    }
  }

  static void requireLength(ByteBuffer frame, long expected, String what) throws FrameException {
    if (frame.capacity() != expected) {
      throw new FrameException(
          what + " has " + frame.capacity() + " bytes, its header promises " + expected);
    }
  }
}
