package io.quiver.cli.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quiver.cli.console.Json;
import io.quiver.protocol.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The node's own HTTP port: its status as JSON at {@code /} and {@code /v1/status}, liveness at
 * {@code /healthz}. It holds no blobs and no secrets.
 */
final class StatusPage implements AutoCloseable {
  private static final int BACKLOG = 64;

  private final HttpServer server;
  private final ExecutorService threads;

  private StatusPage(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /** Binds the port and answers with whatever the supplier says at that moment. */
  static StatusPage start(String host, int port, Supplier<NodeStatus> status) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, status));
    server.start();
    return new StatusPage(server, threads);
  }

  private static void answer(HttpExchange exchange, Supplier<NodeStatus> status)
      throws IOException {
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

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private record Problem(String error) {}

  private record Health(String status) {}
}
