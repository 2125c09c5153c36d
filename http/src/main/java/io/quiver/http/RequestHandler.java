package io.quiver.http;

import java.io.IOException;

/** Answers requests. Called by many connections at once, each from its own thread. */
public interface RequestHandler {
  /**
   * Reads the request and answers it, or refuses it before anything was sent.
   *
   * @throws IOException if the connection failed; it is closed
   */
  void handle(Exchange exchange) throws IOException, Refusal;

  /**
   * Returns true if the handler decodes targets itself: {@link Exchange#path} is then the path as
   * sent, and the query has no parameters.
   */
  default boolean decodesTargets() {
    return false;
  }
}
