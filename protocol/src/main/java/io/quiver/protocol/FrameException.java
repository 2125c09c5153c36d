package io.quiver.protocol;

import java.io.Serial;

/** A frame that breaks the wire contract; the message names the value and what is allowed. */
public final class FrameException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** A complaint in words a client's author can act on. */
  public FrameException(String message) {
    super(message);
  }
}
