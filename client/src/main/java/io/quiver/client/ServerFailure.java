package io.quiver.client;

import java.net.URI;

/**
 * The reason why one server had no part in an answer.
 *
 * @param server which server
 * @param kind what went wrong, for programs
 * @param reason what went wrong, for people
 */
public record ServerFailure(URI server, Kind kind, String reason) {
  /** The ways in which a server can fail a call. */
  public enum Kind {
    /** No connection could be made. */
    UNREACHABLE,
    /** The answer was not complete in time. */
    TIMEOUT,
    /** The connection broke before the answer was complete. */
    BROKEN,
    /** The server answered with an HTTP error. */
    REFUSED,
    /** The answer broke the wire contract. */
    PROTOCOL,
    /** The server was not asked, because it failed a short while ago. */
    RESTING,
    /** The client's buffer budget is held by answers that have not been closed. */
    BUFFERS,
    /** The client was closed while the call was under way. */
    CLOSED,
    /** The calling thread was interrupted. */
    INTERRUPTED
  }
}
