package io.quiver.protocol;

/** The status of one hash and its byte on the wire. */
public enum AskStatus {
  /** Not here. */
  MISS(0),
  /** Here; after a get its payload follows. */
  HIT(1),
  /** Not here, and the asking job has the claim: it should fetch and insert the blob. */
  YOURS(2),
  /** Not here, but another job has the claim and is fetching it. */
  PENDING(3),
  /** Not looked at: enough hits were found before it. */
  SKIPPED(4),
  /** The answer was full before this one: ask again. */
  DEFERRED(5);

  private static final AskStatus[] VALUES = values();

  private final byte code;

  AskStatus(int code) {
    this.code = (byte) code;
  }

  /** Returns the byte on the wire. */
  byte code() {
    return code;
  }

  /**
   * Returns the status with this byte on the wire; codes count from zero in order of declaration.
   */
  static AskStatus of(int code) throws FrameException {
    if (code < 0 || code >= VALUES.length) {
      throw new FrameException("unknown status " + code + " in an answer");
    }
    return VALUES[code];
  }
}
