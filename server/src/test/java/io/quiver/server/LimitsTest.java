package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.http.ByteBudget;
import io.quiver.protocol.AskFrame;
import io.quiver.server.TestClient.Answer;
import io.quiver.server.metrics.ServerCounter;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LimitsTest {
  @Test
  void aRequestThatFindsTheBudgetUsedUpIsToldToComeBack() throws Exception {
    try (TestServer server =
            new TestServer(config -> config.withBudgetTimeout(Duration.ofMillis(20)));
        TestClient client = server.client()) {
      byte[] content = server.stored(new Random(1), 1_000);
      ContentHash hash = ContentHash.ofContent(content);
      try (ByteBudget.Share half = server.server.budget().take("a", Long.MAX_VALUE);
          ByteBudget.Share rest = server.server.budget().take("b", Long.MAX_VALUE)) {
        assertThat(half.bytes()).isEqualTo(rest.bytes());
        byte[] ask = TestClient.bytes(new AskFrame(List.of(hash), 1, false));
        Answer get = client.ask("POST /v1/blobs/get", "", ask);
        assertThat(get.status()).isEqualTo(429);
        assertThat(get.field("retry-after")).isEqualTo("1");
        assertThat(get.text()).contains("in flight within 20 ms");
        assertThat(client.ask("GET /v1/blobs/" + hash.toHex()).status()).isEqualTo(429);
        assertThat(client.ask("PUT /v1/blobs/" + hash.toHex(), "", content).status())
            .isEqualTo(429);
        TestServer.await(
            "all are counted", () -> server.metrics().value(ServerCounter.OVER_BUDGET) == 3);
      }
      assertThat(client.get(List.of(hash), 1).payload()).isEqualTo(content);
    }
  }

  @Test
  void aRequestThatWaitsForTheBudgetIsServedWhenItsTurnComes() throws Exception {
    try (TestServer server =
            new TestServer(config -> config.withBudgetTimeout(Duration.ofSeconds(10)));
        TestClient client = server.client()) {
      byte[] content = server.stored(new Random(1), 1_000);
      ContentHash hash = ContentHash.ofContent(content);
      byte[] ask = TestClient.bytes(new AskFrame(List.of(hash), 1, false));
      try (ByteBudget.Share half = server.server.budget().take("a", Long.MAX_VALUE);
          ByteBudget.Share rest = server.server.budget().take("b", Long.MAX_VALUE)) {
        assertThat(half.bytes()).isEqualTo(rest.bytes());
        client.request("POST /v1/blobs/get", "", ask);
        TestServer.await("the request waits", () -> server.metrics().requestsInFlight() == 1);
      }
      assertThat(TestClient.blobs(client.answer(), 1).payload()).isEqualTo(content);
    }
  }

  @Test
  void aConnectionTooManyIsTurnedAway() throws Exception {
    try (TestServer server = new TestServer(config -> config.withMaxConnections(2));
        TestClient first = server.client();
        TestClient second = server.client()) {
      String unfinished = "PUT /v1/blobs/" + "0".repeat(64) + " HTTP/1.1\r\nHost: t\r\n";
      first.send(unfinished + "Content-Length: 9\r\n\r\n");
      second.send(unfinished + "Content-Length: 9\r\n\r\n");
      TestServer.await("both are served", () -> server.metrics().requestsInFlight() == 2);
      try (TestClient third = server.client()) {
        Answer answer = third.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text()).contains("as many connections as it allows");
        assertThat(third.endsWithoutAnswer()).isTrue();
      }
      second.hangUp();
      TestServer.await("room for another", () -> server.server.connections() == 1);
      try (TestClient third = server.client()) {
        assertThat(third.ask("GET /healthz").status()).isEqualTo(200);
      }
      assertThat(server.metrics().value(ServerCounter.CONNECTIONS_TURNED_AWAY)).isEqualTo(1);
    }
  }

  @Test
  void closingTheServerEndsIdleConnectionsAndFreesThePort() throws Exception {
    TestServer server = new TestServer();
    try (TestClient client = server.client()) {
      assertThat(client.ask("GET /healthz").status()).isEqualTo(200);
      server.close();
      assertThat(client.endsWithoutAnswer()).isTrue();
      assertThat(server.server.connections()).isZero();
    }
    int port = server.server.address().getPort();
    try (TestServer again = new TestServer(config -> onPort(config, port))) {
      assertThat(again.server.address().getPort()).isEqualTo(port);
    }
  }

  private static ServerConfig onPort(ServerConfig config, int port) {
    return ServerConfig.on(config.host(), port).withMaxBlobBytes(config.limits().blobBytes());
  }
}
