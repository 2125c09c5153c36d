package io.quiver.client.transport;

import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tells that a request got no proper answer; the message is for people. */
public final class ExchangeException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final FailureKind kind;
  private final Duration retryAfter;

  public ExchangeException(FailureKind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.retryAfter = Duration.ZERO;
  }

  ExchangeException(FailureKind kind, String message, Duration retryAfter) {
    super(message);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  /** Returns the kind of failure. */
  public FailureKind kind() {
    return kind;
  }

  /** Returns the wait that the server asked for; zero if it did not. */
  Duration retryAfter() {
    return retryAfter;
  }
}
