package io.quiver.remote.retry;

import java.io.IOException;
import java.time.Duration;

/** Tells of a failure that may pass by itself: a busy service, a lost connection, a timeout. */
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

  /** Returns the wait that the service asked for; zero if it did not. */
  Duration asked() {
    return asked;
  }
}
