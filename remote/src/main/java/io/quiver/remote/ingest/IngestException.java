package io.quiver.remote.ingest;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Tells that data cannot be digested; the message names the object and the remedy. */
public final class IngestException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  public IngestException(String message) {
    super(message);
  }

  public IngestException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
