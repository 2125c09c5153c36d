package io.quiver.client;

import io.quiver.client.transport.ExchangeException;
import io.quiver.client.transport.ServerEndpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the failures of one call, the first of each server. */
final class Failures {
  private final Map<ServerEndpoint, ServerFailure> byServer = new LinkedHashMap<>();

  void add(ServerEndpoint server, ExchangeException failure) {
    byServer.putIfAbsent(
        server,
        new ServerFailure(server.uri(), kind(failure), String.valueOf(failure.getMessage())));
  }

  List<ServerFailure> list() {
    return List.copyOf(byServer.values());
  }

  private static ServerFailure.Kind kind(ExchangeException failure) {
    return switch (failure.kind()) {
      case UNREACHABLE -> ServerFailure.Kind.UNREACHABLE;
      case TIMEOUT -> ServerFailure.Kind.TIMEOUT;
      case BROKEN -> ServerFailure.Kind.BROKEN;
      case REFUSED, BUSY -> ServerFailure.Kind.REFUSED;
      case PROTOCOL -> ServerFailure.Kind.PROTOCOL;
      case RESTING -> ServerFailure.Kind.RESTING;
      case BUFFERS -> ServerFailure.Kind.BUFFERS;
      case CLOSED -> ServerFailure.Kind.CLOSED;
      case INTERRUPTED -> ServerFailure.Kind.INTERRUPTED;
    };
  }
}
