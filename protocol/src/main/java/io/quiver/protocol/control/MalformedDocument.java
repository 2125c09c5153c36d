package io.quiver.protocol.control;

import org.jspecify.annotations.Nullable;

/** Bytes that are not the control document they should be. */
public final class MalformedDocument extends Exception {
  private static final long serialVersionUID = 1;

  /** Says what is wrong and where. */
  public MalformedDocument(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
