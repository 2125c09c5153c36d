package io.quiver.server;

import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.http.RequestHandler;
import io.quiver.protocol.Wire;
import io.quiver.server.metrics.Endpoint;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Finds the handler of a request by its path and method. No call lists hashes. */
final class Router implements RequestHandler {
  private final Map<Endpoint, RequestHandler> handlers;

  Router(Map<Endpoint, RequestHandler> handlers) {
    this.handlers = Map.copyOf(handlers);
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    RequestHandler handler = handlers.get(endpoint(exchange));
    if (handler == null) {
      throw refusal(exchange);
    }
    handler.handle(exchange);
  }

  /** Which call a request is, {@link Endpoint#OTHER} if none. */
  static Endpoint endpoint(Exchange exchange) {
    return methods(exchange.path()).getOrDefault(exchange.method(), Endpoint.OTHER);
  }

  private static Map<String, Endpoint> methods(String path) {
    return switch (path) {
      case Wire.GET_PATH -> Map.of("POST", Endpoint.GET);
      case Wire.LOOKUP_PATH -> Map.of("POST", Endpoint.LOOKUP);
      case Wire.BLOBS_PATH -> Map.of("PUT", Endpoint.PUT);
      case Wire.SPACES_PATH -> and(readOnly(Endpoint.SPACES), "POST", Endpoint.PLAN);
      case Wire.COUNTERS_PATH -> readOnly(Endpoint.COUNTERS);
      case Wire.STATUS_PATH -> readOnly(Endpoint.STATUS);
      case Wire.HEALTH_PATH -> readOnly(Endpoint.HEALTH);
      case Wire.METRICS_PATH -> readOnly(Endpoint.METRICS);
      default -> below(path);
    };
  }

  private static Map<String, Endpoint> below(String path) {
    if (child(path, Wire.BLOBS_PATH)) {
      return and(readOnly(Endpoint.READ), "PUT", Endpoint.INSERT);
    }
    return child(path, Wire.SPACES_PATH) ? Map.of("DELETE", Endpoint.DROP) : Map.of();
  }

  private static boolean child(String path, String parent) {
    int length = parent.length();
    return path.length() > length + 1
        && path.startsWith(parent)
        && path.charAt(length) == '/'
        && path.indexOf('/', length + 1) < 0;
  }

  private static Map<String, Endpoint> readOnly(Endpoint endpoint) {
    return Map.of("GET", endpoint, "HEAD", endpoint);
  }

  private static Map<String, Endpoint> and(
      Map<String, Endpoint> methods, String method, Endpoint endpoint) {
    Map<String, Endpoint> more = new LinkedHashMap<>(methods);
    more.put(method, endpoint);
    return more;
  }

  private static Refusal refusal(Exchange exchange) {
    Map<String, Endpoint> methods = methods(exchange.path());
    if (methods.isEmpty()) {
      return Refusal.of(404, "nothing is served at this path", "GET " + Wire.STATUS_PATH + " is");
    }
    String allowed = String.join(", ", methods.keySet().stream().sorted().toList());
    return Refusal.of(
        405, "this path does not take this method", "use " + allowed, "Allow", allowed);
  }
}
