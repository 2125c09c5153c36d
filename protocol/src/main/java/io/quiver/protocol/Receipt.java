package io.quiver.protocol;

/** The outcome of one insert and its byte on the wire. */
public enum Receipt {
  /** Stored and visible. */
  STORED(0),
  /** Was here already. */
  ALREADY_HERE(1),
  /** Refused: the bytes do not have the hash they were offered under. */
  HASH_MISMATCH(2),
  /** Refused: longer than the server takes. */
  TOO_LARGE(3),
  /** Refused: the capacity or the quota of the space is used up. */
  NO_ROOM(4),
  /** Refused: the server's disks did not take it. */
  DISK_FAILURE(5),
  /** Refused: the server's plan has no such space, or has it no more. */
  NOT_PLANNED(6);

  private static final Receipt[] VALUES = values();

  private final byte code;

  Receipt(int code) {
    this.code = (byte) code;
  }

  /** Returns the byte on the wire. */
  byte code() {
    return code;
  }

  /** Returns true if the blob can be read from the server now. */
  public boolean here() {
    return this == STORED || this == ALREADY_HERE;
  }

  /**
   * Returns the receipt with this byte on the wire; codes count from zero in order of declaration.
   */
  static Receipt of(int code) throws FrameException {
    if (code < 0 || code >= VALUES.length) {
      throw new FrameException("unknown receipt " + code);
    }
    return VALUES[code];
  }
}
