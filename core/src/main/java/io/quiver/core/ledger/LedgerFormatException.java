package io.quiver.core.ledger;

import java.io.Serial;

/**
 * A file that is no ledger, or one that was damaged elsewhere than at its end. The message names
 * the byte.
 */
public final class LedgerFormatException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Makes a complaint about the bytes at a position. */
  public LedgerFormatException(long position, String problem) {
    super("byte " + position + ": " + problem);
  }
}
