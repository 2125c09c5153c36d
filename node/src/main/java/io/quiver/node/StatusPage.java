package io.quiver.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.quiver.protocol.Json;
import io.quiver.protocol.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * What the node shows beside the manager's calls: its status as JSON at {@code /} and {@code
 * /v1/status}, liveness at {@code /healthz}. It holds no blobs and no secrets.
 */
final class StatusPage implements HttpHandler {
  private final Supplier<NodeStatus> status;

  /** Answers with whatever the supplier says at that moment. */
  StatusPage(Supplier<NodeStatus> status) {
    this.status = status;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, Json.line(new Problem(method + " is not answered here; use GET")));
        return;
      }
      switch (exchange.getRequestURI().getPath()) {
        case "/", Wire.STATUS_PATH -> send(exchange, 200, Json.indented(status.get()));
        case Wire.HEALTH_PATH -> send(exchange, 200, Json.line(new Health("ok")));
        default ->
            send(
                exchange,
                404,
                Json.line(
                    new Problem(
                        "this is the status page; blobs are at the servers named under "
                            + Wire.STATUS_PATH)));
      }
    }
  }

  private static void send(HttpExchange exchange, int code, String json) throws IOException {
    byte[] body = (json + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(code, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
  }

  private record Problem(String error) {}

  private record Health(String status) {}
}
