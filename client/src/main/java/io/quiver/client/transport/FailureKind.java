package io.quiver.client.transport;

/** The ways an exchange can fail, and their meaning for retries and the circuit breaker. */
public enum FailureKind {
  /** No connection could be made. */
  UNREACHABLE(true, true),
  /** The answer was not complete in time. No retry: the time is gone. */
  TIMEOUT(false, true),
  /** The connection broke. */
  BROKEN(true, true),
  /** An HTTP error that asking again does not change. */
  REFUSED(false, false),
  /** An HTTP error that asks to try later. */
  BUSY(true, false),
  /** The answer broke the wire contract. */
  PROTOCOL(true, true),
  /** Not asked: the server failed a short while ago. */
  RESTING(false, false),
  /** No memory for the answer. */
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
