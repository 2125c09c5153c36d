package io.quiver.remote.ingest;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Data that cannot be digested; the message names the object and what to do. */
public final class IngestException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** A complaint about one object or about the whole store. */
  public IngestException(String message) {
    super(message);
  }

  /** A complaint that has a cause. */
  public IngestException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
