package io.quiver.remote.retry;

import java.io.IOException;
import java.time.Duration;

/** A failure that may pass by itself: a busy service, a lost connection, a timeout. */
public final class TransientFailure extends IOException {
  private static final long serialVersionUID = 1;

  private final Duration asked;

  public TransientFailure(String message, Throwable cause) {
    super(message, cause);
    this.asked = Duration.ZERO;
  }

  public TransientFailure(String message, Duration asked) {
    super(message);
    this.asked = asked;
  }

  /** How long the service asked callers to stay away; zero if it did not. */
  Duration asked() {
    return asked;
  }
}
