package io.quiver.client.transport;

/** The ways an exchange can fail, and what each means for retries and for the server's standing. */
public enum Trouble {
  /** No connection could be made. */
  UNREACHABLE(true, true),
  /** The answer was not complete in time. No retry: the time is gone. */
  TIMEOUT(false, true),
  /** The connection broke. */
  BROKEN(true, true),
  /** An HTTP error that asking again does not change. */
  REFUSED(false, false),
  /** An HTTP error that asks for patience. */
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

  Trouble(boolean retryable, boolean blamesServer) {
    this.retryable = retryable;
    this.blamesServer = blamesServer;
  }

  /** Whether another attempt may help. */
  boolean retryable() {
    return retryable;
  }

  /** Whether the server should be left alone for a while. */
  boolean blamesServer() {
    return blamesServer;
  }
}
