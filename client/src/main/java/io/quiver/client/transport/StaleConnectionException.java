package io.quiver.client.transport;

import java.io.IOException;
import java.io.Serial;

/** A connection that had worked before ended before it answered: the server had let go of it. */
final class StaleConnectionException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  StaleConnectionException(IOException cause) {
    super(cause);
  }
}
