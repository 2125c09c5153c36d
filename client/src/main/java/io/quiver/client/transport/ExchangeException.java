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

  /** The ways an exchange can fail, and their meaning for retries and the circuit breaker. */
  public enum FailureKind {
    /** No connection could be made. */
    UNREACHABLE(true, true),
    /** The answer was not complete in time. No retry: the time is gone. */
    TIMEOUT(false, true),
    /** The connection broke. */
    BROKEN(true, true),
    /** The server answered with an HTTP error that asking again does not change. */
    REFUSED(false, false),
    /** The server answered with an HTTP error that asks to try later. */
    BUSY(true, false),
    /** The answer broke the wire contract. */
    PROTOCOL(true, true),
    /** The server was not asked, because it failed a short while ago. */
    RESTING(false, false),
    /** The server was found to forge blobs, and is not asked any more. */
    FORGED(false, false),
    /** The client's buffers are in use by answers that have not been closed. */
    BUFFERS(false, false),
    /** The client was closed. */
    CLOSED(false, false),
    /** The calling thread was interrupted. */
    INTERRUPTED(false, false);

    private final boolean retryable;
    private final boolean blamesServer;

    FailureKind(boolean retryable, boolean blamesServer) {
      this.retryable = retryable;
      this.blamesServer = blamesServer;
    }

    /** Returns true if another attempt may help. */
    boolean retryable() {
      return retryable;
    }

    /** Returns true if the server should be left alone for a while. */
    boolean blamesServer() {
      return blamesServer;
    }
  }
}
