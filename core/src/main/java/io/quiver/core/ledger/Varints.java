package io.quiver.core.ledger;

import java.util.Arrays;

/** Reads the numbers of one frame: seven bits a byte, the lowest first, none below zero. */
final class Varints {
  private final byte[] bytes;
  private final long position;
  private int at;

  /**
   * Reads a payload from its first byte.
   *
   * @param position where its frame begins, for errors
   */
  Varints(byte[] bytes, long position) {
    this.bytes = bytes;
    this.position = position;
  }

  long next() {
    long value = 0;
    for (int shift = 0; shift < 7 * LedgerFormat.MAX_VARINT_BYTES; shift += 7) {
      if (at == bytes.length) {
        throw new LedgerFormatException(position, "a frame that ends within a number");
      }
      byte next = bytes[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new LedgerFormatException(position, "a number of more than 63 bits");
  }

  int below(long bound, String what) {
    long value = next();
    if (value >= bound) {
      throw new LedgerFormatException(position, what + " " + value + " is not below " + bound);
    }
    return (int) value;
  }

  /** Returns the next bytes as they are. */
  byte[] bytes(int count) {
    if (count > bytes.length - at) {
      throw new LedgerFormatException(position, "a frame that ends within its bytes");
    }
    at += count;
    return Arrays.copyOfRange(bytes, at - count, at);
  }

  void requireEnd() {
    if (at != bytes.length) {
      throw new LedgerFormatException(position, "a frame with bytes left after its end");
    }
  }
}
