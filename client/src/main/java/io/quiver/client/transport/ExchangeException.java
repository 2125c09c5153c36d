package io.quiver.client.transport;

import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A question that got no proper answer; the message is for people. */
public final class ExchangeException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final Trouble trouble;
  private final Duration retryAfter;

  /** A failure of this kind. */
  public ExchangeException(Trouble trouble, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.trouble = trouble;
    this.retryAfter = Duration.ZERO;
  }

  /** A failure after which the server asked to be left alone for a while. */
  ExchangeException(Trouble trouble, String message, Duration retryAfter) {
    super(message);
    this.trouble = trouble;
    this.retryAfter = retryAfter;
  }

  /** What went wrong. */
  public Trouble trouble() {
    return trouble;
  }

  /** How long the server asked to be left alone; zero if it did not. */
  Duration retryAfter() {
    return retryAfter;
  }
}
