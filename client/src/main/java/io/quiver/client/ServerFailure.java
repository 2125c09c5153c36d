package io.quiver.client;

import io.quiver.client.transport.ExchangeException;
import io.quiver.client.transport.ExchangeException.FailureKind;
import io.quiver.client.transport.ServerEndpoint;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The reason why one server had no part in an answer.
 *
 * @param kind the kind of failure, for programs
 * @param reason the failure in words, for people
 */
public record ServerFailure(URI server, FailureKind kind, String reason) {
  /** Collects the failures of one call, the first of each server. */
  static final class Failures {
    private final Map<ServerEndpoint, ServerFailure> byServer = new LinkedHashMap<>();

    void add(ServerEndpoint server, ExchangeException failure) {
      byServer.putIfAbsent(
          server,
          new ServerFailure(server.uri(), failure.kind(), String.valueOf(failure.getMessage())));
    }

    List<ServerFailure> list() {
      return List.copyOf(byServer.values());
    }
  }
}
