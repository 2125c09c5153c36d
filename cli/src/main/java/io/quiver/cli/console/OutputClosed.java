package io.quiver.cli.console;

import java.io.IOException;

/** Whoever read standard output has gone, as {@code head} does: time to end quietly. */
public final class OutputClosed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputClosed(IOException cause) {
    super("standard output does not take any more", cause);
  }
}
