package io.quiver.core.ledger;

/** Reads the numbers of one frame: seven bits a byte, the lowest first, none below zero. */
final class Varints {
  private final byte[] bytes;
  private final long position;
  private int at;

  /**
   * Numbers of a payload.
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
        throw new LedgerFormatException(position, "a batch that ends within a number");
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

  void requireEnd() {
    if (at != bytes.length) {
      throw new LedgerFormatException(position, "a batch with bytes left after its items");
    }
  }
}
