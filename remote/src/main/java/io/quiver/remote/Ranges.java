package io.quiver.remote;

import java.io.EOFException;

/** Checks offsets and builds the errors for reads beyond an object's end. */
public final class Ranges {
  private Ranges() {}

  public static long requireOffset(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("an offset cannot be negative: " + offset);
    }
    return offset;
  }

  public static EOFException pastTheEnd(String name, long offset, long size) {
    return new EOFException(
        "offset " + offset + " is past the end of '" + name + "', which has " + size + " bytes");
  }

  public static EOFException endsEarly(String name, long end, long missing) {
    return new EOFException(
        "'" + name + "' ends at byte " + end + ", " + missing + " bytes before the asked range");
  }
}
