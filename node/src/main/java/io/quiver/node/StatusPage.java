package io.quiver.node;

import io.quiver.http.Exchange;
import io.quiver.http.RequestHandler;
import io.quiver.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/** Answers with the node's status as JSON that people can read. It holds no secrets. */
final class StatusPage implements RequestHandler {
  private final Supplier<NodeStatus> status;

  /** Answers with what the supplier says at that moment. */
  StatusPage(Supplier<NodeStatus> status) {
    this.status = status;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    byte[] json = (Json.indented(status.get()) + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.answer(200, Exchange.JSON, json, Map.of("Cache-Control", "no-store"));
  }
}
