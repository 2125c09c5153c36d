package io.quiver.djl;

import org.jspecify.annotations.Nullable;

/** An item was read and cannot be decoded; the message says which and where it lies. */
public final class DecodeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Says what failed. */
  public DecodeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Returns an item that a decoder could not make sense of. */
  static DecodeException of(ItemSample sample, Exception cause) {
    return new DecodeException(sample + " cannot be decoded: " + reason(cause), cause);
  }

  static String reason(Exception cause) {
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }
}
