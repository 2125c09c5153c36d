package io.quiver.client.loader;

import org.jspecify.annotations.Nullable;

/** A job cannot go on reading; the message names the item and what can be done. */
public final class LoadException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Says what failed. */
  public LoadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
